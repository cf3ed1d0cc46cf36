// Keeps the page itself at hand, so that it opens without a connection and says what is the matter. Games are never kept.
const KEPT = "archipel-1";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.add("/"))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

async function fresh(request, under) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(under, answer.clone());
    return answer;
  } catch (error) {
    const known = await kept.match(under);
    if (known) return known;
    throw error;
  }
}

async function once(request) {
  const known = await caches.match(request);
  return known ?? fresh(request, request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(fresh(request, "/"));
  else if (pathname.startsWith("/assets/")) event.respondWith(once(request));
});
