/** Settles after the next paint; at once for a page in the background, which draws nothing. */
export const painted = (): Promise<void> =>
  document.hidden ? Promise.resolve() : new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
