import { Dispatcher } from '../../../src/webhooks/delivery/dispatcher.js';
import { eventually } from '../eventually.js';
import type { TestApp } from '../test-app.js';

/**
 * Waits until the process has delivered all that is due: it was idle, looked for everything, took nothing.
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

/**
 * Does the work while the process looks for nothing by itself, so that only the ring of the bell wakes it.
 * Then it lets it deliver the rest.
 */
export async function byBellAlone(app: TestApp, work: () => Promise<unknown>): Promise<void> {
  await atRest(app);
  const dispatcher = app.nest.get(Dispatcher);
  const poll = jest.spyOn(dispatcher as unknown as { poll(): Promise<void> }, 'poll').mockResolvedValue();
  try {
    await eventually('no poll is under way', () => dispatcher['polling'] === 0 && !dispatcher['claiming']);
    await work();
  } finally {
    poll.mockRestore();
  }
  await atRest(app);
}
