// Has the service worker of the site keep what is read, where the browser lets it.

const root = new URL("..", import.meta.url);

if ("serviceWorker" in navigator && isSecureContext) {
  navigator.serviceWorker.register(new URL("worker.js", root), { scope: root.pathname }).catch(() => {
    // Without it the site needs a network, as any page does.
  });
}
