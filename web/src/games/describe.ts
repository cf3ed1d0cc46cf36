// What a board says to those who do not see it: headings, and a sentence for each thing.
import type { AnyView, Player } from "./contract";

export interface Section {
  title: string;
  lines: string[];
}

export type Describe<View extends AnyView> = (view: View, players: Player[]) => Section[];
