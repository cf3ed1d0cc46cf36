"""A page that plays a recorded game: every position as a picture, with buttons, a slider and arrow keys."""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable
from html import escape

from .state import State

HEIGHT = 640
"""Of the frame in a notebook, in pixels."""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>{title}</title>
<style>
body{{margin:0;font:15px/1.4 system-ui,sans-serif;display:flex;flex-direction:column;height:100vh}}
#board{{flex:1;min-height:0;display:flex;justify-content:center}}#board svg{{height:100%;max-width:100%}}
form{{display:flex;gap:6px;align-items:center;padding:6px 10px}}
button{{font:inherit;min-width:40px;min-height:36px}}input{{flex:1;min-width:60px}}
p{{margin:0;padding:0 10px 8px;min-height:1.4em}}
</style></head><body>
<div id="board" role="img" aria-label="{title}"></div>
<form aria-label="Playback">
<button type="button" data-go="first" aria-label="First position">|◀</button>
<button type="button" data-go="back" aria-label="Previous position">◀</button>
<button type="button" data-go="on" aria-label="Next position">▶</button>
<button type="button" data-go="last" aria-label="Last position">▶|</button>
<input type="range" min="0" max="{last}" value="0" aria-label="Position"></form>
<p aria-live="polite"></p>
<script>
const board = document.querySelector("#board"), slider = document.querySelector("input")
const said = document.querySelector("p")
const step = {{first: () => 0, back: at => at - 1, on: at => at + 1, last: () => {last}}}
const packed = Uint8Array.from(atob("{packed}"), letter => letter.charCodeAt(0))
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))
new Response(stream).json().then(({{pictures, moves}}) => {{
  const show = wanted => {{
    const at = Math.max(0, Math.min({last}, wanted))
    slider.value = at
    board.innerHTML = pictures[at]
    said.textContent = at ? `${{at}} of {last}: ${{moves[at - 1]}}` : "Start"
  }}
  slider.addEventListener("input", () => show(+slider.value))
  for (const button of document.querySelectorAll("button"))
    button.addEventListener("click", () => show(step[button.dataset.go](+slider.value)))
  addEventListener("keydown", event => {{
    const go = {{ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last"}}[event.key]
    if (go && event.target !== slider) show(step[go](+slider.value))
  }})
  show(0)
}})
</script></body></html>
"""


def page(title: str, states: Iterable[State], actions: Iterable[int]) -> str:
    """A self-contained HTML page that plays the game with these states and the action taken in each but the last."""
    played = list(states)
    moves = [_caption(state, action) for state, action in zip(played, actions, strict=False)]
    pictures = [state._repr_svg_() for state in played]
    packed = gzip.compress(json.dumps({"pictures": pictures, "moves": moves}).encode(), mtime=0)
    return _PAGE.format(title=escape(title), last=len(played) - 1, packed=b64encode(packed).decode())


def frame(document: str) -> str:
    """The page as an iframe, for a notebook."""
    style = f"width:100%;height:{HEIGHT}px;border:0"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(document)}"></iframe>'


def _caption(state: State, action: int) -> str:
    notation = state.notation(action)
    return notation if state.mover < 0 else f"seat {state.mover} {notation}"
