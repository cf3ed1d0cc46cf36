// What is wrong with a text by the habits of its language, a sentence each.

/** The narrow and the usual no-break space. */
const NO_BREAK = "\u00a0\u202f";

export function misprints(text: string, language: string): string[] {
  const found: string[] = [];
  if (/(?<=\p{L})'|'(?=\p{L})/u.test(text)) found.push("a straight apostrophe");
  if (/\.\.\./.test(text)) found.push("three dots for an ellipsis");
  if (language === "en" && /[\s\u00a0\u202f][%:;!?]/.test(text)) found.push("a space before a sign");
  if (language === "fr") {
    if (new RegExp(`[^${NO_BREAK}\\s?!][;!?](?!\\w)`).test(text)) found.push("no space before ; ! or ?");
    if (new RegExp(`[^${NO_BREAK}\\d\\s]:(?![/\\d])`).test(text)) found.push("no space before :");
    if (/ [:;!?%»]/.test(text) || /« /.test(text)) found.push("a space that may break");
    if (new RegExp(`[^${NO_BREAK}]%`).test(text)) found.push("no space before %");
  }
  return found;
}
