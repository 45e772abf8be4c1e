import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { type TestStore, useShop } from '../../support/test-app.js';
import { envelopeOf, RawClient } from './raw-client.js';

const COUNT = 100;

/** docs/behaviour.md §8: hosts cut answers of more than 25,000 tokens. */
describe('a page over MCP', () => {
  const encoder = new Tiktoken(cl100k);
  let store: TestStore;
  let client: RawClient;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    client = new RawClient(app, store.tokens.read, 'modern');
  });

  /** Walks all pages, a feed until it has nothing more. @returns how many there were, and the ids */
  const walk = async (operation: string): Promise<{ pages: number; ids: unknown[] }> => {
    const ids: unknown[] = [];
    for (let pages = 0, cursor: string | undefined; ; pages++) {
      const { data } = envelopeOf(
        await client.call(operation, { take: COUNT, ...(cursor ? { cursor } : {}) }),
      );
      const tokens = encoder.encode(JSON.stringify({ ok: true, data })).length;
      expect([operation, tokens, tokens <= 25_000]).toEqual([operation, tokens, true]);
      ids.push(...data.items.map(({ id }: { id: unknown }) => id));
      if (data.nextCursor === null) return { pages: pages + 1, ids };
      if (data.items.length === 0) return { pages, ids };
      cursor = data.nextCursor;
    }
  };

  it('of whole orders stays below 25,000 tokens, and no order is missed or repeated', async () => {
    const { productId } = await store.product();
    const checkoutData = [
      { id: 'comment', label: 'Comment', type: 'textarea', value: '№1-Ё2-c3/'.repeat(60) },
    ];
    const placed: unknown[] = [];
    for (let i = 0; i < COUNT; i++) {
      placed.unshift((await store.place({ items: [{ productId, quantity: 1 }], checkoutData })).id);
    }
    const { pages, ids } = await walk('list_orders');
    expect(ids).toEqual(placed);
    expect(pages).toBeGreaterThan(1);
    const { body } = await store.call('list_orders', { take: COUNT });
    expect([body.data.items.length, body.data.nextCursor]).toEqual([COUNT, null]);

    const feed = await store.feed();
    expect(feed.items).toHaveLength(COUNT);
    const events = await walk('list_events');
    expect(events.ids).toEqual(feed.items.map(({ id }: { id: unknown }) => id));
    expect(events.pages).toBeGreaterThan(1);
  });

  it('of other records stays below 25,000 tokens too', async () => {
    const made: unknown[] = [];
    for (let i = 0; i < COUNT; i++) {
      const input = { name: `Brand ${i}`, slug: `brand-${i}`, description: 'a1-b2-c3/'.repeat(100) };
      made.unshift((await store.data('create_brand', input)).id);
    }
    const { pages, ids } = await walk('list_brands');
    expect(ids).toEqual(made);
    expect(pages).toBeGreaterThan(1);
  });
});
