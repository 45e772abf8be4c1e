// The application starts once "Loading…" is painted: evaluating its files blocks a phone, and the page would be white meanwhile.
// A hidden tab paints nothing, and a browser may not say when it has painted: then it starts after a moment.
await new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
  setTimeout(resolve, document.hidden ? 0 : 200);
});
try {
  for (const { href } of document.querySelectorAll('link.application')) await import(href);
} catch (error) {
  // A file that did not come is an error of its element; boot.js tells it from what a browser does not understand.
  if (!/dynamically imported module|importing a module script/i.test(error.message)) throw error;
  document.querySelector('link.application').dispatchEvent(new Event('error'));
}
