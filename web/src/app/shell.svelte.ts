// What is open around the page.
export const shell = $state({ settings: false });
