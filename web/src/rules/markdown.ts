// The little Markdown that the rules pages use, as a tree that is drawn without any HTML from outside. Not a library:
// marked weighs 15 KB compressed and this 1.3 KB, and anchors (`{#draw}`) and the drawing of the tree would stay ours.

export type Inline =
  | { kind: "text" | "strong" | "em" | "code"; text: string }
  /** Leads to another section of the page. */
  | { kind: "link"; text: string; anchor: string };
export type Block =
  | { kind: "p" | "blockquote"; content: Inline[] }
  | { kind: "pre"; text: string }
  | { kind: "ul" | "ol"; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

export interface Section {
  anchor: string;
  title: string;
  level: number;
  blocks: Block[];
  /** All of it in small letters, for searching. */
  text: string;
}

const INLINE = /\[([^\]]+)\]\(#([\w-]+)\)|\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`/gs;

export function inline(text: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > at) parts.push({ kind: "text", text: text.slice(at, found.index) });
    const [whole, link, anchor = "", strong, em, code] = found;
    if (link) parts.push({ kind: "link", text: link, anchor });
    else parts.push({ kind: strong ? "strong" : em ? "em" : "code", text: strong ?? em ?? code ?? "" });
    at = found.index + whole.length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

const cells = (row: string) =>
  row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => inline(cell.trim()));

/** Items of a list: a line that begins with a mark, and those indented after it. */
function items(lines: string[]): Inline[][] {
  const found: string[] = [];
  for (const line of lines) {
    const item = line.match(/^\s*(?:[-*]|\d+\.)\s+(.*)$/);
    if (item && !line.startsWith("   ")) found.push(item[1]!);
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found.map(inline);
}

function block(lines: string[]): Block {
  const [first = "", second = ""] = lines;
  if (first.startsWith("|") && /^\|[-|: ]+\|$/.test(second)) {
    return { kind: "table", head: cells(first), rows: lines.slice(2).map(cells) };
  }
  if (/^[-*] /.test(first)) return { kind: "ul", items: items(lines) };
  if (/^\d+\. /.test(first)) return { kind: "ol", items: items(lines) };
  if (first.startsWith("> "))
    return { kind: "blockquote", content: inline(lines.map((line) => line.replace(/^> ?/, "")).join(" ")) };
  return { kind: "p", content: inline(lines.join(" ")) };
}

function blocks(body: string[]): Block[] {
  const found: Block[] = [];
  let gathered: string[] = [];
  let fence: string[] | null = null;
  const flush = () => {
    if (gathered.length > 0) found.push(block(gathered));
    gathered = [];
  };
  for (const line of body) {
    if (line.startsWith("```")) {
      flush();
      if (fence) found.push({ kind: "pre", text: fence.join("\n") });
      fence = fence ? null : [];
    } else if (fence) fence.push(line);
    else if (line.trim() === "") flush();
    else gathered.push(line);
  }
  flush();
  return found;
}

/** The sections of a page, each with the anchor that rules are named by. */
export function sections(page: string): Section[] {
  const found: { heading: RegExpMatchArray | null; body: string[] }[] = [];
  for (const line of page.split("\n")) {
    const heading = line.match(/^(#+)\s+(.*?)(?:\s*\{#([\w-]+)\})?\s*$/);
    if (heading) found.push({ heading, body: [] });
    else found.at(-1)?.body.push(line);
  }
  return found.map(({ heading, body }) => ({
    anchor: heading?.[3] ?? "",
    title: heading?.[2] ?? "",
    level: heading?.[1]?.length ?? 2,
    blocks: blocks(body),
    text: `${heading?.[2]} ${body.join(" ")}`.toLowerCase(),
  }));
}
