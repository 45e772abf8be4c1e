import { DeliverySlots, type EndpointSpeed, type Slot } from './delivery-slots.js';

const PROMPT_SLOTS = 512;
const UNKNOWN_SLOTS = 512;
const SLOW_SLOTS = 1024;
const names = (count: number, prefix = 'store') => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

/** Slots and the attempts under way in them. */
class Attempts {
  readonly slots = new DeliverySlots();
  readonly underWay = new Map<string, Slot[]>();

  /** Stores of which the database says this. */
  know(pace: EndpointSpeed, ...storeIds: string[]): void {
    for (const storeId of storeIds) this.slots.learn(storeId, pace);
  }

  /**
   * Starts whatever of these and of those that wait may start. @returns how many attempts of each store began
   */
  start(storeIds: string[], { rang = true } = {}): Record<string, number> {
    for (const storeId of storeIds) this.slots.want(storeId, rang);
    const began: Record<string, number> = {};
    for (let admitted = this.slots.admit(); admitted.length > 0; admitted = this.slots.admit()) {
      for (const { storeId, free } of admitted) {
        began[storeId] = (began[storeId] ?? 0) + free;
        for (let i = 0; i < free; i++) this.of(storeId).push(this.slots.start(storeId));
        this.slots.want(storeId, rang);
      }
    }
    return began;
  }

  /** Ends all attempts of the store the same way. @returns what the database is to be told */
  end(storeId: string, pace: EndpointSpeed): (EndpointSpeed | null)[] {
    return this.of(storeId)
      .splice(0)
      .map((slot) => slot.free(pace));
  }

  of(storeId: string): Slot[] {
    if (!this.underWay.has(storeId)) this.underWay.set(storeId, []);
    return this.underWay.get(storeId)!;
  }

  /** A store that has answered promptly so often that it may have sixteen under way. */
  prove(...storeIds: string[]): void {
    this.know('prompt', ...storeIds);
    for (const storeId of storeIds) for (let i = 0; i < 16; i++) this.slots.start(storeId).free('prompt');
  }
}

describe('DeliverySlots', () => {
  let attempts: Attempts;
  beforeEach(() => {
    attempts = new Attempts();
  });

  it('lets nobody start before the database was asked of it', () => {
    expect(attempts.start(['a'])).toEqual({});
    expect(attempts.slots.withoutPace()).toEqual(['a']);
    attempts.know('prompt', 'a');
    expect(attempts.start([])).toEqual({ a: 1 });
  });

  it('gives a store one slot more with each answer, up to 16; slow stores 8, silent or new ones 1', () => {
    attempts.know('prompt', 'a');
    expect(attempts.start(['a'])).toEqual({ a: 1 });
    attempts.end('a', 'prompt');
    expect(attempts.start([])).toEqual({ a: 2 });
    for (let i = 0; i < 5; i++) {
      attempts.end('a', 'prompt');
      attempts.start([]);
    }
    expect(attempts.of('a')).toHaveLength(16);
    attempts.end('a', 'slow');
    expect(attempts.start([])).toEqual({ a: 8 });
    attempts.end('a', 'silent');
    expect(attempts.start([])).toEqual({ a: 1 });
    attempts.know('unknown', 'new');
    expect(attempts.start(['new'])).toEqual({ new: 1 });
  });

  it('reports what the database does not know yet, once', () => {
    attempts.know('unknown', 'a');
    attempts.start(['a']);
    expect(attempts.end('a', 'prompt')).toEqual(['prompt']);
    attempts.start([]);
    expect(attempts.end('a', 'prompt')).toEqual([null, null]);
    attempts.start([]);
    expect(attempts.end('a', 'silent')).toEqual(['silent', null, null, null]);
  });

  it('accepts only newer information from the database', () => {
    attempts.prove('a');
    attempts.know('prompt', 'a');
    expect(attempts.start(['a'])).toEqual({ a: 16 });
    attempts.end('a', 'prompt');
    attempts.know('silent', 'a');
    expect(attempts.start([])).toEqual({ a: 1 });
  });

  it('leaves prompt stores their slots, however many others hang, are slow or new', () => {
    attempts.prove('healthy');
    const [silent, slow, fresh] = [names(2_000, 'silent'), names(500, 'slow'), names(600, 'new')];
    attempts.know('silent', ...silent);
    attempts.know('slow', ...slow);
    attempts.know('unknown', ...fresh);
    attempts.start([...silent, ...slow, ...fresh]);
    expect(attempts.slots.total).toBe(SLOW_SLOTS + UNKNOWN_SLOTS);
    expect(attempts.start(['healthy'])).toEqual({ healthy: 16 });
  });

  it('admits no more prompt ones than there are slots', () => {
    const stores = names(40);
    attempts.prove(...stores);
    attempts.start(stores);
    expect(attempts.slots.total).toBe(PROMPT_SLOTS);
  });

  it('gives new changes a slot before those that a look has found, the newest first', () => {
    const found = names(2_500, 'found');
    attempts.know('unknown', ...found, 'new');
    attempts.start(found, { rang: false });
    expect(attempts.slots.total).toBe(UNKNOWN_SLOTS / 2);
    expect(attempts.start(['new'])).toEqual({ new: 1 });
    const more = names(1_000, 'more');
    attempts.know('unknown', ...more, 'newest');
    attempts.start(more);
    expect(attempts.slots.total).toBe(UNKNOWN_SLOTS);
    expect(attempts.start(['newest'])).toEqual({});
    attempts.end('new', 'slow');
    expect(attempts.start([])).toMatchObject({ newest: 1 });
  });

  it('keeps slots for stores known to be prompt, however many new stores ring', () => {
    const fresh = names(2_500, 'new');
    attempts.know('unknown', ...fresh);
    attempts.know('prompt', 'healthy');
    attempts.start(fresh);
    expect(attempts.start(['healthy'])).toEqual({ healthy: 1 });
  });

  it('frees the slot of an attempt that is not answered in time, and marks its endpoint as hanging', () => {
    const stores = names(600);
    attempts.know('prompt', ...stores, 'healthy');
    attempts.start(stores);
    expect(attempts.slots.total).toBe(PROMPT_SLOTS);
    expect(attempts.start(['healthy'])).toEqual({});
    for (const slots of attempts.underWay.values()) for (const slot of slots) slot.late();
    expect(attempts.start([])).toMatchObject({ healthy: 1 });
    const hanging = stores.find((storeId) => attempts.of(storeId).length === 1)!;
    expect(attempts.start([hanging])).not.toHaveProperty(hanging);
    attempts.end(hanging, 'silent');
    expect(attempts.start([])).toMatchObject({ [hanging]: 1 });
  });

  it('counts an endpoint as slow, not silent, if one request hangs among answers', () => {
    attempts.prove('a');
    const hanging = attempts.slots.start('a');
    attempts.slots.start('a').free('prompt');
    hanging.late();
    expect(hanging.free('silent')).toBe('slow');
    expect(attempts.start(['a'])).toEqual({ a: 8 });
  });

  it('lets the backlog flow again with the first answer in time', () => {
    attempts.know('silent', 'a');
    attempts.start(['a']);
    expect(attempts.end('a', 'prompt')).toEqual(['prompt']);
    const rounds = [attempts.start([])];
    for (let i = 0; i < 3; i++) {
      attempts.end('a', 'prompt');
      rounds.push(attempts.start([]));
    }
    expect(rounds.map(({ a }) => a)).toEqual([2, 4, 8, 16]);
  });

  it('lets silent endpoints take turns, whichever of them is looked up again', () => {
    const stores = names(2 * SLOW_SLOTS);
    attempts.know('silent', ...stores);
    attempts.start(stores, { rang: false });
    const first = [...attempts.underWay.keys()].filter((storeId) => attempts.of(storeId).length > 0);
    for (const storeId of stores) attempts.slots.want(storeId, false);
    for (const storeId of first) attempts.end(storeId, 'silent');
    expect(Object.keys(attempts.start([])).some((storeId) => first.includes(storeId))).toBe(false);
  });

  it('counts back what ends: all slots are free again after any course of answers', () => {
    const stores = names(60);
    attempts.know('unknown', ...stores);
    const paces: EndpointSpeed[] = ['prompt', 'slow', 'silent'];
    for (let round = 0; round < 200; round++) {
      attempts.start(stores);
      for (const [i, storeId] of stores.entries()) {
        if ((i + round) % 7 === 0) for (const slot of attempts.of(storeId)) slot.late();
        if ((i + round) % 3 === 0) attempts.end(storeId, paces[(i * round) % 3]);
      }
    }
    for (const storeId of stores) attempts.end(storeId, 'prompt');
    expect(attempts.slots.total).toBe(0);
    const others = names(1_000, 'other');
    attempts.know('silent', ...others);
    attempts.start(others);
    expect(attempts.slots.total).toBeGreaterThanOrEqual(1_000);
  });

  it('remembers ten thousand idle stores, and forgets who was idle the longest', () => {
    attempts.prove('early', 'healthy', ...names(9_999));
    expect(attempts.start(['healthy'])).toEqual({ healthy: 16 });
    expect(attempts.start(['early'])).toEqual({});
    expect(attempts.slots.withoutPace()).toEqual(['early']);
  });
});
