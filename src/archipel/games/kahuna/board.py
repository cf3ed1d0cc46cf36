"""The facts of Kahuna: twelve islands, twenty-seven lines, two cards for each island.

ALOA ------- BARI ------------- COCO
 | \\       / | \\ \\           / /  |
 |  DUDA --  |  \\ FAAA ---- /  |  |
 |   | \\     |  /  |  \\    /   |  |
 |   |  --- ELAI --    |   GOLA   |
 |   |   /   | \\ \\     |  / |     |
HUNA ----    |  \\ --- JOJO  |     |
 | \\         |  /  /    \\   |    /
 |  ------- IFFI --------\\ KAHU -
 |           |          /   |
 ---------- LALE ------------
"""

import numpy as np

ISLANDS = ("ALOA", "BARI", "COCO", "DUDA", "ELAI", "FAAA", "GOLA", "HUNA", "IFFI", "JOJO", "KAHU", "LALE")
LINES = (
    "ALOA-BARI", "ALOA-DUDA", "ALOA-HUNA", "BARI-COCO", "BARI-DUDA", "BARI-ELAI", "BARI-FAAA", "COCO-FAAA", "COCO-GOLA",
    "COCO-KAHU", "DUDA-ELAI", "DUDA-HUNA", "ELAI-FAAA", "ELAI-HUNA", "ELAI-IFFI", "ELAI-JOJO", "FAAA-GOLA", "FAAA-JOJO",
    "GOLA-JOJO", "GOLA-KAHU", "HUNA-IFFI", "HUNA-LALE", "IFFI-JOJO", "IFFI-KAHU", "IFFI-LALE", "JOJO-KAHU", "KAHU-LALE",
)  # fmt: skip
N_ISLANDS = len(ISLANDS)
N_LINES = len(LINES)
CARDS_PER_ISLAND = 2
DEAL = 3
HAND_LIMIT = 5
BRIDGES = 25
STONES = 10
ROUNDS = 3

XY = {
    "ALOA": (240, 170), "BARI": (385, 160), "COCO": (550, 170), "DUDA": (305, 225), "ELAI": (380, 240),
    "FAAA": (455, 215), "GOLA": (510, 260), "HUNA": (245, 305), "IFFI": (360, 315), "JOJO": (445, 290),
    "KAHU": (550, 350), "LALE": (380, 385),
}  # fmt: skip
"""Where the islands are in a drawing, y downward; straight lines between them never cross."""

ENDS = np.array([[ISLANDS.index(end) for end in line.split("-")] for line in LINES], np.int64)
"""The two islands of each line."""
LINES_OF = np.array([sum(1 << i for i, line in enumerate(LINES) if name in line) for name in ISLANDS], np.int32)
"""Bits: the lines of each island."""
DEGREE = np.array([sum(name in line for line in LINES) for name in ISLANDS], np.int8)
"""How many lines each island has."""
