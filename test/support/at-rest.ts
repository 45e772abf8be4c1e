import { Dispatcher } from '../../src/webhooks/delivery/dispatcher.js';
import { eventually } from './eventually.js';
import type { TestApp } from './test-app.js';

/**
 * Waits until the process has delivered all that is due: it was idle, looked for everything, and took nothing.
 * Every attempt is on record then, so that a request too many has come.
 */
export async function atRest(app: TestApp): Promise<void> {
  const dispatcher = app.nest.get(Dispatcher);
  const isIdle = () => !dispatcher['claiming'] && dispatcher['inFlight'].size === 0;
  await eventually('the dispatcher rests', async () => {
    if (!isIdle()) return false;
    await dispatcher.sweep();
    return isIdle();
  });
}
