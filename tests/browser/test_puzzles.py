"""Puzzles in the browser: somebody tries, is told why it was wrong, tries again, and comes back tomorrow."""

from datetime import date

import pytest
from playwright.sync_api import expect

from archipel.core import puzzles

from .conftest import Enter
from .person import Person

SMALL = {"width": 390, "height": 664}
LOW = {"width": 1280, "height": 720}
DAY = date(2026, 11, 18)
OVERFLOW = "document.documentElement.scrollHeight - innerHeight"


def comes(enters: Enter, size: dict[str, int] = SMALL, locale: str = "en") -> Person:
    anna = enters(size, locale)
    anna.page.clock.set_fixed_time(f"{DAY}T21:30:00Z")
    return anna


def places(person: Person, druid: int, cell: str) -> None:
    person.page.locator(f".hand [data-druid='{druid}']").click()
    person.page.locator(f"[data-cell={cell}]").first.click()


@pytest.mark.parametrize("size", [SMALL, LOW], ids=["phone", "desk"])
def test_the_puzzle_of_the_day_is_tried_refuted_and_solved(enters: Enter, size: dict[str, int]) -> None:
    anna, number = comes(enters, size), puzzles.daily("stonehenge", DAY)
    page, puzzle = anna.page, puzzles.puzzle("stonehenge", puzzles.daily("stonehenge", DAY))
    state = puzzle.state("stonehenge")
    right = state.decode(puzzle.answers[0][0])
    wrong = next(a for a, reply in zip(state.actions(), puzzle.replies, strict=True) if reply >= 0)
    reply = state.after(wrong).decode(puzzle.replies[state.actions().index(wrong)])
    anna.go("/")
    page.get_by_role("link", name="Puzzles of the day").click()
    page.get_by_role("link", name="Puzzle of the day – Stonehenge").click()
    expect(page.locator(f"[data-puzzle='{number}']")).to_have_attribute("data-status", "asking")
    expect(page.locator(".words")).to_have_text("Exactly one move wins. Find it.")
    assert page.evaluate(OVERFLOW) <= 0
    tried = state.decode(wrong)
    places(anna, tried["druid"], tried["cell"])
    answer = f"Your opponent’s answer: Place {reply['druid']} on {reply['cell']}."
    expect(page.locator(".words")).to_contain_text(answer)
    assert page.evaluate(OVERFLOW) <= 0
    page.keyboard.press("Enter")  # the way to try again has the focus
    expect(page.locator(".puzzle")).to_have_attribute("data-status", "asking")
    places(anna, right["druid"], right["cell"])
    expect(page.locator(".words")).to_contain_text("Solved!")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".now")).to_contain_text("Player")
    assert page.evaluate(OVERFLOW) <= 0
    anna.shot(f"puzzle-{size['width']}")
    page.get_by_role("button", name="Share").click()
    card = page.locator("dialog textarea").input_value()
    assert card.split("\n")[1:] == ["🟥🟩", f"{anna.url}/puzzles/stonehenge/{number}"]
    page.keyboard.press("Escape")
    anna.go("/puzzles")
    expect(page.locator("article", has_text="Stonehenge")).to_contain_text("Solved today")
    expect(page.locator(".streak")).to_have_text("1 day in a row")


def test_puzzles_can_be_heard_and_solved_by_keyboard_in_words(enters: Enter) -> None:
    anna = comes(enters, SMALL, "fr")
    page, puzzle = anna.page, puzzles.puzzle("stonehenge", 3)
    anna.go("/puzzles")
    page.locator("article").first.wait_for()
    assert anna.violations() == []
    page.evaluate("localStorage.setItem('archipel-settings', JSON.stringify({text: true}))")
    anna.go("/puzzles/stonehenge/3")
    page.locator("#command").fill(puzzle.state("stonehenge").notation(puzzle.answers[0][0]))
    page.keyboard.press("Enter")
    expect(page.locator(".puzzle")).to_have_attribute("data-status", "solved")
    assert anna.violations() == []
    page.evaluate("localStorage.removeItem('archipel-settings')")
    anna.go("/puzzles/stonehenge/4")
    page.get_by_role("button", name="Indice").click()
    expect(page.locator(".hand .hinted")).to_have_count(1)
    page.get_by_role("button", name="Voir la solution").click()
    expect(page.locator(".words")).to_contain_text("La solution")
    assert anna.violations() == []


def test_a_puzzle_that_is_not_there_says_so(enters: Enter) -> None:
    anna = comes(enters)
    anna.go("/puzzles/stonehenge/99999")
    expect(anna.page.get_by_role("alert")).to_contain_text("There is no such puzzle.")


def test_the_next_days_can_be_solved_without_a_connection(enters: Enter) -> None:
    anna = comes(enters)
    page = anna.page
    anna.go("/puzzles")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.get_by_role("link", name="Puzzle of the day – Stonehenge").click()
    expect(page.locator(".words")).to_have_text("Exactly one move wins. Find it.")
    anna.go("/puzzles")
    page.locator("article").first.wait_for()
    page.context.set_offline(True)
    page.reload()
    page.get_by_role("link", name="Puzzle of the day – Stonehenge").click()
    expect(page.locator(".words")).to_have_text("Exactly one move wins. Find it.")
    expect(page.locator(".hand button")).not_to_have_count(0)
    anna.complaints[:] = [one for one in anna.complaints if "ERR_INTERNET_DISCONNECTED" not in one]
