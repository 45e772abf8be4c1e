// Starts the application after "Loading…" is painted: evaluating its files blocks a phone, and the page would
// be white in the meantime. A hidden tab paints nothing, and a browser may not report that it has painted;
// then the application starts after a moment.
await new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
  setTimeout(resolve, document.hidden ? 0 : 200);
});
try {
  for (const { href } of document.querySelectorAll('link.application')) await import(href);
} catch (error) {
  // A missing file also causes an error event of its element. boot.js distinguishes it from code that the
  // browser does not understand.
  if (!/dynamically imported module|importing a module script/i.test(error.message)) throw error;
  document.querySelector('link.application').dispatchEvent(new Event('error'));
}
