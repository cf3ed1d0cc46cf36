// Whether there is a third dimension to be had: asked before anything is loaded for it.

/** Can this browser draw in three dimensions? */
export function canDraw(): boolean {
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}
