// A file for the person in front of the page.

/** Let the browser save something as JSON under this name. */
export function saved(content: unknown, name: string): void {
  const way = document.createElement("a");
  way.href = URL.createObjectURL(new Blob([JSON.stringify(content)], { type: "application/json" }));
  way.download = name;
  way.click();
  setTimeout(() => URL.revokeObjectURL(way.href), 1000);
}
