// The pictures of buttons, each a path on a square of 24.
export const ICONS = {
  takeback: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1 1.3 1.1 2.2h5c.1-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
  log: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  chat: "M4 5h16v11H9l-5 4z",
  rules: "M5 4h9a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM5 16a4 4 0 0 1 4-4h9",
  text: "M5 6h14M12 6v13M9 19h6",
  board: "M4 4h16v16H4zM4 12h16M12 4v16",
  more: "M4 6h16M4 12h16M4 18h16",
  share:
    "M8 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM22 5a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM22 19a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM7.5 10.5l9-4M7.5 13.5l9 4",
  resign: "M6 21V4M6 5h11l-2 4 2 4H6",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  players:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 2.5-6 6-6s6 2 6 6M16 4.6a3.5 3.5 0 0 1 0 6.2M17.5 14.4c2.2.8 3.5 2.7 3.5 5.6",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  bot: "M6 9h12v9H6zM12 9V5M9 13h.01M15 13h.01M3 12v3M21 12v3",
} as const;
