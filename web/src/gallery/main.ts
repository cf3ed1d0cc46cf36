// The gallery: every board on real positions, for those who draw them. It is not part of what players get.
import { mount } from "svelte";
import "@/style/tokens.css";
import "@/style/base.css";
import "@/style/materials.css";
import "@/app/language.svelte";
import Gallery from "./Gallery.svelte";

mount(Gallery, { target: document.getElementById("app")! });
