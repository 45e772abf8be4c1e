import fc from 'fast-check';
import { jsonSchema } from '../../../src/platform/schema/json/json-schema.js';
import { ERROR_STATUS } from '../../../src/platform/errors.js';
import type { OperationSpec } from '../../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { inputs, withoutWaiting } from '../../support/generated-inputs.js';
import { isSlow } from '../../support/slow.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { envelopeOf, JsonText, RawClient } from './raw-client.js';

const INPUTS = isSlow ? 1_100 : 200;
const SEED = 20261121;

const PRODUCT = {
  title: 'Mug',
  description: '',
  images: ['https://images.example/a.jpg'],
  price: 12.5,
  itemAmount: 100,
};

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What the same call gave in each of two stores with the same history. */
type Pair = [inFirst: unknown, inSecond: unknown];

/**
 * Two stores that get the same calls, the first over HTTP, the second over MCP. Their ids differ; whatever
 * stands at the same place of two equal answers is the same thing, and can be named in later inputs for both.
 */
class Twins {
  private readonly pairs: Pair[] = [];
  /** Positions in `pairs`, by what they name: "brand", "cursor of list_brands". */
  private readonly names = new Map<string, number[]>();

  /** A stand-in for each thing a field of this operation could name. */
  known(operation: string, field: string): string[] {
    const kind = field === 'cursor' ? `cursor of ${operation}` : this.kindOf(operation, field);
    return (this.names.get(kind) ?? []).slice(-8).map((position) => `@ref:${position}`);
  }

  /** The input as one of the stores must be given it, as JSON text. */
  textFor(side: 0 | 1, input: unknown): string {
    return JSON.stringify(input, withoutWaiting).replaceAll(/"@ref:(\d+)"/g, (_, position) =>
      JSON.stringify(this.pairs[Number(position)][side]),
    );
  }

  /** Tells where two answers differ in more than the ids of their stores; null when they do not. */
  difference(operation: string, first: unknown, second: unknown, path = '', key = ''): string | null {
    if (typeof first === 'object' && first !== null && typeof second === 'object' && second !== null) {
      // Changes of several records are named by their ids.
      if (key === 'changes') {
        const entries = [first, second].map((changes) => Object.entries(changes));
        return this.difference(operation, entries[0], entries[1], path);
      }
      const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])];
      for (const inner of keys) {
        const [a, b] = [first, second].map((whole) => (whole as Record<string, unknown>)[inner]);
        const found = this.difference(operation, a, b, `${path}.${inner}`, inner);
        if (found) return found;
      }
      return null;
    }
    const same =
      first === second ||
      // The audit log says by which door a change came.
      (key === 'transport' && first === 'http' && second === 'mcp') ||
      // It keeps the hash of a long text, in which ids of the stores may stand.
      (key === 'sha256' && isHash(first) && isHash(second)) ||
      areTimes(first, second) ||
      this.arePair(first, second) ||
      this.nameEachOther(first, second);
    if (/^(id|nextCursor)$|Id$/.test(key) && typeof first === typeof second && first !== null) {
      if (same || this.areNew(first, second)) return this.remember(operation, path, key, [first, second]);
    }
    return same ? null : `${path}: ${JSON.stringify(first)} and ${JSON.stringify(second)}`;
  }

  private remember(operation: string, path: string, key: string, pair: Pair): null {
    // Ids of things inside a record, such as a note, are no input's.
    const isOwn = key !== 'id' || /^\.data(\.items\.\d+)?\.id$/.test(path);
    const kind = key === 'nextCursor' ? `cursor of ${operation}` : this.kindOf(operation, key);
    let position = this.pairs.findIndex(([a, b]) => a === pair[0] && b === pair[1]);
    if (position < 0) position = this.pairs.push(pair) - 1;
    const positions = this.names.get(kind) ?? [];
    if (isOwn && !positions.includes(position)) this.names.set(kind, [...positions, position]);
    return null;
  }

  /** update_brand's `id` and `brandId` name a brand, and so does what list_brands gives out as `id`. */
  private kindOf(operation: string, field: string): string {
    const noun = operation
      .replace(/^[a-z]+_/, '')
      .replace(/ies$/, 'y')
      .replace(/s$/, '');
    if (field === 'id' || field === 'parentId') return noun;
    return field.endsWith('Id') ? field.slice(0, -2) : `field ${field}`;
  }

  private arePair(first: unknown, second: unknown): boolean {
    return this.pairs.some(([a, b]) => a === first && b === second);
  }

  private areNew(first: unknown, second: unknown): boolean {
    return this.pairs.every(([a, b]) => a !== first && b !== second);
  }

  /** Messages that differ only in the ids they name. */
  private nameEachOther(first: unknown, second: unknown): boolean {
    if (typeof first !== 'string' || typeof second !== 'string') return false;
    const others = [...second.matchAll(UUID)].map(([id]) => id);
    // Of what no answer has shown yet, a message may name an id that is as new in the other store.
    const counterpart = (id: string) => {
      const other = others.shift();
      return this.arePair(id, other) || this.areNew(id, other) ? String(other) : id;
    };
    if (first.replaceAll(UUID, counterpart) === second) return true;
    return this.pairs.some(
      ([a, b]) => String(a).length > 0 && first.replaceAll(String(a), String(b)) === second,
    );
  }
}

const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Two moments of this run: the database's own clock does not stand still. */
function areTimes(first: unknown, second: unknown): boolean {
  const isTime = (value: unknown): value is string =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(value);
  return isTime(first) && isTime(second) && Math.abs(Date.parse(first) - Date.parse(second)) < 60_000;
}

/** The overview says how many calls are left, and each call takes one. */
const withoutBudget = (text: string) => text.replaceAll(/"left":\d+/g, '"left":0');

describe('HTTP and MCP', () => {
  let stores: TestStore[];
  let clients: RawClient[][];

  // A clock that stands still gives twins the same times.
  const { app } = useShopWithMessenger({ clock: new TestClock(new Date()) });
  beforeAll(async () => {
    stores = [await app.store(), await app.store()];
    clients = stores.map(({ tokens }) =>
      (['legacy', 'modern'] as const).map((era) => new RawClient(app, tokens.admin, era)),
    );
    // No generated number is that of an order by chance.
    await app.query('update order_counters set last = last + 4000000000 where store_id = any($1)', [
      stores.map(({ id }) => id),
    ]);
    for (const store of stores) {
      for (const productId of ['p-1', 'p-2', 'p-3'])
        await store.data('create_product', { ...PRODUCT, productId });
      for (const id of ['1001', '9007199254740993', '1001']) {
        await store.place({ items: [{ productId: 'p-1', quantity: 2 }] }, { id });
      }
    }
  });

  const overHttp = async (store: TestStore, name: string, text: string) => {
    const response = await fetch(`${app.url}/v1/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${store.tokens.admin}`, 'Content-Type': 'application/json' },
      body: text,
    });
    return { status: response.status, text: withoutBudget(await response.text()) };
  };

  const overMcp = async (client: RawClient, name: string, input: string) => {
    const result = await client.call(name, new JsonText(input));
    const text = withoutBudget(result.content[0].text as string);
    return { envelope: JSON.parse(withoutBudget(JSON.stringify(envelopeOf(result)))), text };
  };

  it(`give the same verdict and the same envelope to ${INPUTS} generated inputs`, async () => {
    const operations = app.nest.get(OperationRegistry).list();
    const twins = new Twins();
    const seen = { reads: 0, writes: 0, refusals: 0 };

    const compare = async ({ name, scope }: OperationSpec, input: unknown, turn: number) => {
      const http = await overHttp(stores[0], name, twins.textFor(0, input));
      const envelope = JSON.parse(http.text);
      const what = `${name} ${twins.textFor(0, input)}`;
      expect([what, http.status]).toEqual([
        what,
        envelope.ok ? 200 : ERROR_STATUS[envelope.error.code as keyof typeof ERROR_STATUS],
      ]);
      expect([what, envelope.error?.code]).not.toEqual([what, 'internal_error']);
      const client = (store: number) => clients[store][turn % 2];
      // What changed nothing can be asked again in the same place, and answered letter for letter.
      if (scope === 'read' || !envelope.ok) {
        const mcp = await overMcp(client(0), name, twins.textFor(0, input));
        expect([what, mcp.text]).toEqual([what, http.text]);
      }
      // A bot belongs to one store: the first gives it up before its twin takes it, and the twin too, so that
      // both go on alike.
      const giveUpBot = (store: number) =>
        name === 'connect_bot'
          ? app.query('delete from bots where store_id = $1', [stores[store].id])
          : undefined;
      await giveUpBot(0);
      const twin = await overMcp(client(1), name, twins.textFor(1, input));
      await giveUpBot(1);
      expect([what, twins.difference(name, envelope, twin.envelope)]).toEqual([what, null]);
      seen[!envelope.ok ? 'refusals' : scope === 'read' ? 'reads' : 'writes']++;
    };

    const rounds = Math.ceil(INPUTS / operations.length);
    for (let round = 0; round < rounds; round++) {
      for (const [i, operation] of operations.entries()) {
        const arbitrary = inputs(jsonSchema(operation.input), (field) => twins.known(operation.name, field));
        const [input] = fc.sample(arbitrary, { numRuns: 1, seed: SEED + round * operations.length + i });
        await compare(operation, input, round);
      }
    }
    expect(seen.reads + seen.writes + seen.refusals).toBeGreaterThanOrEqual(INPUTS * 0.9);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(INPUTS / 15);
  }, 240_000);
});
