// The application starts once "Loading…" is painted: evaluating its files blocks a phone, and the page would be white meanwhile.
// A hidden tab paints nothing; there it starts at once.
if (!document.hidden) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
for (const { href } of document.querySelectorAll('link.application')) await import(href);
