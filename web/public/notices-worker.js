/*
 * Tells of new orders, also while no page of the dashboard is open. The service sends a notice with its
 * title, its text and the path of the page about it. The worker keeps nothing and answers no request, so a
 * new version of it takes over at once.
 */

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { title, text, path } = event.data.json();
  const look = { icon: './favicon.svg', badge: './favicon.svg' };
  event.waitUntil(
    self.registration.showNotification(title, { ...look, body: text, tag: path, data: { path } }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data.path, self.registration.scope).href));
});

/** Shows the page where it is open. No other page is led away, because something may be typed in it. */
async function show(address) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => url.split(/[?#]/)[0] === address);
  return page ? page.focus() : self.clients.openWindow(address);
}
