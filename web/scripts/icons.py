"""Draw the icon as pictures, for devices that take no drawing: `python web/scripts/icons.py`."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parents[1] / "public"
SIZES = (180, 192, 512)


def main() -> None:
    """Write an icon of each size."""
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}")
            page.screenshot(path=PUBLIC / f"icon-{size}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
