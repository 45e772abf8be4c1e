import { expect, SERVICE, STORE, test } from './support.js';

/** 400 kbit/s each way, and 600 ms for each round trip: a phone at the edge of the network. */
const NETWORK = { offline: false, latency: 600, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** In seconds, until the first row of the orders: with nothing in the browser's cache, and then. */
const GOALS = { cold: 6, warm: 3.5 };

/** Looks with every frame. Playwright's own waiting looks twice a second. */
const FIRST_ROW = `new Promise(function look(done) {
  if (document.querySelector('main a[href*="/orders/"]')?.checkVisibility()) done();
  else requestAnimationFrame(() => look(done));
})`;

/** `npm run slow-network`. It wants a machine that does nothing else. */
test('the first order is there in time', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  for (const [state, goal] of Object.entries(GOALS)) {
    const begun = performance.now();
    await page.goto(`${SERVICE()}/dashboard/${STORE()}/orders`, { waitUntil: 'commit' });
    await page.evaluate(FIRST_ROW);
    const seconds = (performance.now() - begun) / 1000;
    console.log(`${state}: ${seconds.toFixed(2)} s`);
    expect.soft(seconds, state).toBeLessThanOrEqual(goal);
  }
});
