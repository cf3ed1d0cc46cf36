// What is open around the page, and whether the server asks for a password first.
export const shell = $state({ settings: false, locked: false });
