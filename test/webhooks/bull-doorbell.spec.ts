import { once } from 'node:events';
import Bull, { type Queue } from 'bull';
import { createLogger } from '../../src/platform/logging/logger.js';
import { BullConnections, BullDoorbell } from '../../src/webhooks/doorbell/bull-doorbell.js';

/** A queue whose adds end when told to: between Redis' work and its answer lies the moment that matters. */
class SlowQueue {
  readonly added: string[] = [];
  private readonly ends: ((error?: Error) => void)[] = [];
  on = () => this;
  process = async () => undefined;
  setWorkerName = async () => undefined;
  add({ storeId }: { storeId: string }): Promise<void> {
    this.added.push(storeId);
    return new Promise((resolve, reject) => this.ends.push((error) => (error ? reject(error) : resolve())));
  }
  async finish(error?: Error): Promise<void> {
    this.ends.shift()!(error);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("Bull's doorbell", () => {
  let queue: SlowQueue;
  let bell: BullDoorbell;
  beforeEach(() => {
    queue = new SlowQueue();
    bell = new BullDoorbell(queue as unknown as Queue<{ storeId: string }>);
  });

  it('rings once more for changes that were committed while a ring was on its way', async () => {
    for (let i = 0; i < 5; i++) bell.ring('a');
    expect(queue.added).toEqual(['a']);
    await queue.finish();
    expect(queue.added).toEqual(['a', 'a']);
    await queue.finish();
    expect(queue.added).toEqual(['a', 'a']);
  });

  it('leaves no failure that nobody looks at when it stops while Redis is unavailable', async () => {
    const connections = new BullConnections(createLogger('silent'));
    const create = (kind: 'client' | 'subscriber' | 'bclient') =>
      connections.create('redis://127.0.0.1:1', kind);
    const real = new Bull('left', { createClient: create });
    new BullDoorbell(real);
    const unseen = [
      real.process(() => undefined),
      (real as unknown as { setWorkerName(): Promise<void> }).setWorkerName(),
    ];
    await once(real.client, 'error');
    connections.onApplicationShutdown();
    expect(await Promise.all(unseen)).toEqual([undefined, undefined]);
  });

  it('lets no store wait for another, and treats a failure as an end', async () => {
    bell.ring('a');
    bell.ring('b');
    expect(queue.added).toEqual(['a', 'b']);
    await queue.finish(new Error('Redis is away'));
    bell.ring('a');
    expect(queue.added).toEqual(['a', 'b', 'a']);
  });
});
