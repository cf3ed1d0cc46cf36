// The client begins here.
import { mount } from "svelte";
import "@/style/tokens.css";
import "@/style/base.css";
import "@/style/materials.css";
import "@/app/language.svelte";
import App from "@/app/App.svelte";
import { ALONE } from "@/app/house.svelte";

mount(App, { target: document.getElementById("app")! });
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  const worker = ALONE ? "./worker.js" : "/worker.js";
  addEventListener(
    "load",
    () => void navigator.serviceWorker.register(worker, { updateViaCache: "none" }).catch(() => undefined),
  );
}
