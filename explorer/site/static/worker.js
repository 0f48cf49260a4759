// The service worker of a site: what was read once is there without a network, too.

const version = "VERSION";
const shell = [SHELL];
const SHELL_CACHE = `shell-${version}`;
const DATA_CACHE = "answers";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL_CACHE).then((cache) => cache.addAll(shell)).then(() => self.skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name.startsWith("shell-") && name !== SHELL_CACHE).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

// The name of a file of answers says what is in it, so a kept one is never out of date.
async function kept(request) {
  const cache = await caches.open(DATA_CACHE);
  const there = await cache.match(request);
  if (there) return there;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function fresh(request) {
  const cache = await caches.open(SHELL_CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && !new URL(request.url).search) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const there = await cache.match(request, { ignoreSearch: true });
    if (there) return there;
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const below = url.pathname.slice(new URL(registration.scope).pathname.length);
  if (below.startsWith("data/")) event.respondWith(kept(request));
  else event.respondWith(fresh(request));
});
