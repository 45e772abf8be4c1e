import { preparedDatabase } from '../../support/database/own-database.js';
import { eventually } from '../../support/eventually.js';
import { freePort, ServiceProcess } from '../../support/servers/service-process.js';
import { TestApp, type TestStore } from '../../support/test-app.js';

const TABLES = ['products', 'brands', 'categories', 'promocodes', 'customers'];
const KILLS = 5;
/** How many calls of the writers are answered between two kills. */
const ANSWERS = 150;
const WRITERS = 6;
const IMAGES = ['https://images.example/a.jpg'];

type Input = Record<string, unknown>;
/** What a writer does with records of a kind: `n` is a number that no other call has. */
interface Kind {
  create?: (n: number) => Input;
  update: (n: number) => Input;
  isDeleted?: boolean;
}
const KINDS: Record<string, Kind> = {
  brand: {
    create: (n) => ({ name: `B ${n}`, slug: `b-${n}` }),
    update: (n) => ({ name: `B ${n}` }),
    isDeleted: true,
  },
  category: {
    create: (n) => ({ name: `C ${n}`, slug: `c-${n}` }),
    update: (n) => ({ name: `C ${n}` }),
    isDeleted: true,
  },
  promocode: {
    create: (n) => ({ code: `P${n}`, discountType: 'PERCENTAGE', discountValue: 10 }),
    update: (n) => ({ maxUses: n }),
    isDeleted: true,
  },
  product: {
    create: (n) => ({ productId: `p-${n}`, title: 'P', description: '', images: IMAGES, price: 10 }),
    update: (n) => ({ itemAmount: n }),
    isDeleted: true,
  },
  customer: { update: (n) => ({ firstName: `A ${n}` }) },
};
const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'];

const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(Math.random() * values.length)];

/** Two processes of the service on one database, of which one is killed and started again. */
class Killed {
  private readonly processes: ServiceProcess[] = [];

  constructor(private readonly env: Record<string, string>) {}

  async start(): Promise<void> {
    for (let i = 0; i < 2; i++)
      this.processes.push(await ServiceProcess.start({ ...this.env, PORT: String(await freePort()) }));
  }

  async killOne(round: number): Promise<void> {
    const index = round % this.processes.length;
    const { url } = this.processes[index];
    await this.processes[index].kill();
    this.processes[index] = await ServiceProcess.start({ ...this.env, PORT: new URL(url).port });
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
  }

  /** @returns the data of an answer; null for a refusal, or if nobody knows what became of the call */
  async call(operation: string, input: Input, token: string): Promise<any> {
    const answer: any = await fetch(`${oneOf(this.processes).url}/v1/${operation}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    })
      .then((response) => response.json())
      .catch(() => null);
    return answer?.ok ? answer.data : null;
  }
}

/** docs/behaviour.md §14 */
describe('readers of both feeds, while many write and processes are killed', () => {
  let app: TestApp;
  let store: TestStore;
  let service: Killed;
  let orders: number[];
  let customers: string[];
  let answered = 0;
  let isWriting = true;

  beforeAll(async () => {
    const database = await preparedDatabase();
    app = await TestApp.start({ database });
    store = await app.store();
    const { productId } = await store.product();
    customers = Array.from({ length: 6 }, (_, n) => String(2n ** 60n + BigInt(n)));
    const placed = customers.map((id) => store.place({ items: [{ productId, quantity: 1 }] }, { id }));
    orders = (await Promise.all(placed)).map(({ id }) => id as number);
    service = new Killed({
      ...{ DATABASE_URL: database.ownerUrl, ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY! },
      ...{ LOG_LEVEL: 'silent', SHOP_ROLES: 'web', RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000' },
    });
    await service.start();
  });
  afterAll(async () => {
    await service.stop();
    await app.stop();
  });

  let lastNumber = 0;
  /** Creates, changes and deletes, whatever becomes of the calls. */
  const writer = async () => {
    const made: Record<string, string[]> = { customer: [...customers] };
    const write = (operation: string, input: Input) => service.call(operation, input, store.tokens.admin);
    while (isWriting) {
      const n = ++lastNumber;
      const name = oneOf([...Object.keys(KINDS), 'order']);
      const { create, update, isDeleted } = KINDS[name] ?? {};
      const ids = (made[name] ??= []);
      const id = oneOf(ids);
      let answer: any;
      if (name === 'order') {
        const input = { orderId: oneOf(orders), status: oneOf(STATUSES) };
        answer = await write('set_order_status', input);
      } else if (create && (!id || Math.random() < 0.4)) {
        answer = await write(`create_${name}`, create(n));
        if (answer) ids.push(answer.id as string);
      } else if (isDeleted && Math.random() < 0.4) {
        ids.splice(ids.indexOf(id), 1);
        answer = await write(`delete_${name}`, { id, confirm: true });
      } else {
        answer = await write(`update_${name}`, { id, ...update!(n) });
      }
      if (answer) answered++;
    }
  };

  /**
   * Reads to the end, from the last page whose content and cursor are stored; now and then it dies before
   * that.
   * @param keep stores the content of a page
   * @param isDone whether what is stored is everything, asked when nothing more comes
   */
  const reader = async (
    operation: string,
    input: Input,
    keep: (items: any[]) => unknown,
    isDone: () => Promise<boolean>,
  ) => {
    let cursor: string | undefined;
    const step = async () => {
      const from = cursor ? { cursor } : {};
      const next = await service.call(operation, { ...input, ...from }, store.tokens.read);
      if (!next || Math.random() < 0.1) return false;
      await keep(next.items);
      cursor = next.nextCursor;
      return !isWriting && next.items.length === 0 && isDone();
    };
    while (isWriting) await step();
    await eventually(`a reader of ${operation} with ${JSON.stringify(input)} has everything`, step);
  };

  /** The versions of all records. */
  const versions = async () => {
    const texts = TABLES.map(
      (table) => `select id::text, updated_at::text as at from ${table} where store_id = $1`,
    );
    const rows = await app.query<{ id: string; at: string }>(texts.join(' union all '), [store.id]);
    return new Map(rows.map(({ id, at }) => [id, at]));
  };
  const changes = async (input: Input) => {
    /** What the reader has of each record; null of one whose deletion it was told. */
    const copies = new Map<string, string | null>();
    const told: string[] = [];
    const keep = async (items: { id: string; change: string; at: string }[]) => {
      const now = await versions();
      for (const { id, change, at } of items) {
        told.push(`${id} ${change} ${at}`);
        // A record that is gone by now is told once more, as deleted.
        if (change === 'deleted') copies.set(id, null);
        else copies.set(id, now.get(id) ?? 'gone');
      }
    };
    const isDone = async () => {
      const now = await versions();
      const isCopied = [...now].every(([id, at]) => copies.get(id) === at);
      return isCopied && [...copies].every(([id, at]) => at === (now.get(id) ?? null));
    };
    await reader('list_changes', input, keep, isDone);
    return { copies, told };
  };
  const events = async (input: Input) => {
    const ids: string[] = [];
    const all = async () => {
      const rows = 'select id::text as id from order_events where store_id = $1 order by id';
      return (await app.query<{ id: string }>(rows, [store.id])).map(({ id }) => id);
    };
    const isDone = async () => ids.length >= (await all()).length;
    const keep = (items: { id: string }[]) => ids.push(...items.map(({ id }) => id));
    await reader('list_events', input, keep, isDone);
    expect([...ids].sort()).toEqual(await all());
  };

  it('miss no change and no deletion, and have every event once', async () => {
    const ways = [{ take: 3 }, { take: 100, waitSeconds: 2 }];
    const readers = Promise.all([
      Promise.all(ways.map((input) => changes(input))),
      Promise.all(ways.map((input) => events(input))),
    ]);
    const writers = Promise.all(Array.from({ length: WRITERS }, writer));
    try {
      for (let round = 0; round < KILLS; round++) {
        const until = answered + ANSWERS;
        await eventually(`${ANSWERS} more calls are answered`, () => answered >= until);
        await service.killOne(round);
      }
    } finally {
      isWriting = false;
    }
    await writers;
    const [read] = await readers;
    const operations = await app.query<{ operation: string; target: string }>(
      `select operation, target from audit_log where store_id = $1 and outcome = 'ok'`,
      [store.id],
    );
    const created = operations.filter(({ operation }) => operation.startsWith('create_'));
    const deleted = operations.filter(({ operation }) => operation.startsWith('delete_'));
    expect(deleted.length).toBeGreaterThan(20);
    for (const { copies, told } of read) {
      for (const { target } of created) expect([target, copies.has(idOf(target))]).toEqual([target, true]);
      for (const { target } of deleted) expect([target, copies.get(idOf(target))]).toEqual([target, null]);
      expect(new Set(told).size).toBe(told.length);
    }
  });
});

const idOf = (target: string) => target.slice(target.indexOf(':') + 1);
