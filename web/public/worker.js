// Keeps the page at hand, so that it opens without a connection. A static house is kept whole, for it plays without one;
// of a server's house, what plays on this device. Puzzles
// that were shown are kept, and with them those of the next days. Games are never kept here: they are in the browser's database.
importScripts("files.js");

const { kind, version, files } = self.HOUSE;
const KEPT = `archipel-${version}`;
const ROOT = new URL("./", location.href);
const ALONE = kind === "static";
/** Files that have their digest in their name, and never change. */
const LASTING = /^(assets|local)\/.+-[\w-]{8,}\./;
/** A module of one function that adds vectors: an engine that takes it needs no kernels without. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

self.addEventListener("install", (event) => {
  event.waitUntil(ALONE ? keepAll() : keepPage().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("archipel-") && name !== KEPT))
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "keep") event.waitUntil(keepAll());
});

async function keepPage() {
  await (await caches.open(KEPT)).add(new Request(ROOT, { cache: "no-cache" }));
}

/** Keep every file, or fail; what an earlier version had is not fetched again. */
async function keepAll() {
  const kept = await caches.open(KEPT);
  const simd = WebAssembly.validate(SIMD);
  const wanted = files.filter((file) => !(simd ? /-\w+\.wasm$/ : /\.simd\.wasm$/).test(file) && file !== "worker.js");
  for (const file of ["", ...wanted]) {
    const request = new Request(new URL(file, ROOT), { cache: "no-cache" });
    if (await kept.match(request)) continue;
    const known = LASTING.test(file) ? await caches.match(request) : undefined;
    if (known) await kept.put(request, known);
    else await kept.add(request);
  }
}

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

async function once(request, under = request) {
  const kept = await caches.open(KEPT);
  return (await kept.match(under)) ?? fresh(request, under);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== ROOT.origin || !pathname.startsWith(ROOT.pathname)) return;
  const file = pathname.slice(ROOT.pathname.length);
  if (file.startsWith("api/")) return;
  if (file.startsWith("data/")) return event.respondWith(fresh(request, request));
  if (request.mode === "navigate") {
    if (ALONE && file !== "" && file !== "index.html") return; // another page, perhaps of those who publish the house
    event.respondWith(ALONE ? once(request, ROOT) : fresh(request, ROOT));
  } else if (LASTING.test(file)) event.respondWith(once(request));
  else if (files.includes(file) && file !== "worker.js")
    event.respondWith(ALONE ? once(request) : fresh(request, request));
});

// Notices: it is somebody's turn. The same notice may come twice; a table has one place, so it is shown once.

self.addEventListener("push", (event) => event.waitUntil(notify(event.data?.json() ?? {})));

async function notify({ id, topic, title, text, url, waiting, labels }) {
  await badge(waiting);
  await self.registration.showNotification(title, {
    body: text,
    tag: topic,
    icon: new URL("icon-192.png", ROOT).href,
    data: { id, url },
    actions: [
      { action: "open", title: labels.open },
      { action: "stop", title: labels.stop },
    ],
  });
}

async function badge(waiting) {
  if (!("setAppBadge" in navigator)) return;
  await (waiting > 0 ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => undefined);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "stop" ? stop() : open(event.notification.data.url));
});

/** The page of the table, in a window that shows it already, or in another. */
async function open(url) {
  const { pathname } = new URL(url);
  const there = new URL(pathname.slice(1), ROOT).href;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const known = windows.find((client) => client.url === there);
  return known ? known.focus() : self.clients.openWindow(there);
}

/** No more notices in this browser: the server finds a subscription that has ended, and drops it. */
async function stop() {
  await (await self.registration.pushManager.getSubscription())?.unsubscribe();
}
