"""A board that is shown in a picture or a film is whole: it fills its room, at one scale, with every name inside."""

from typing import Any

from playwright.sync_api import Page

WHOLE = """() => {
  const wrong = [];
  const fits = (inner, outer, slack) =>
    inner.left >= outer.left - slack && inner.right <= outer.right + slack &&
    inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  let seen = !document.querySelector('.frame');
  for (const canvas of document.querySelectorAll('.frame canvas:not(.off)'))
    seen ||= canvas.getBoundingClientRect().width >= 200;
  for (const board of document.querySelectorAll('.frame svg[role=group], .frame [role=group] svg, .frame .ring svg')) {
    const box = board.getBoundingClientRect(), room = board.parentElement.getBoundingClientRect();
    if (box.width < 200) continue;
    seen = true;
    if (!fits(box, screen, 2)) wrong.push('the board leaves the screen');
    if (box.width < 0.9 * room.width && box.height < 0.9 * room.height) wrong.push('the board leaves its room empty');
    const frame = board.closest('.fit');
    if (frame && !fits(box, frame.getBoundingClientRect(), 6)) wrong.push('the board leaves its frame');
    const scale = board.getScreenCTM().a, drawn = board.viewBox.baseVal;
    if (box.width / scale < 0.9 * drawn.width && box.height / scale < 0.9 * drawn.height)
      wrong.push('the board is drawn at another scale than its frame');
    for (const text of board.querySelectorAll('text'))
      if (!fits(text.getBoundingClientRect(), box, 6)) wrong.push(`${text.textContent} is outside the board`);
  }
  if (!seen) wrong.push('there is no board');
  return wrong;
}"""
"""What is wrong with the boards on a page, a sentence each."""


def check(page: Page) -> None:
    """Raise ValueError if a board on the page is not whole."""
    wrong: Any = page.evaluate(WHOLE)
    if wrong:
        raise ValueError(f"The picture of {page.url} is not whole: {'; '.join(wrong[:5])}.")
