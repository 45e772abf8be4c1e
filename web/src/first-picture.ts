// "Loading…" is drawn before the application begins, which keeps a phone busy for half a second. A page in
// the background draws nothing.
if (!document.hidden) await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));

export {};
