import fc from 'fast-check';
import pg from 'pg';
import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { type TestStore, ownerQuery, useShop } from '../support/test-app.js';
import { SEED } from '../support/slow.js';

const app = useShop();

const RECOUNT = `select count(*)::int as total, (count(*) filter (where not is_banned
  and not is_bot_blocked))::int as active,
  (count(*) filter (where is_banned))::int as banned,
  (count(*) filter (where is_bot_blocked))::int as "botBlocked"
  from customers where store_id = $1`;
const INSERT = `insert into customers (store_id, id, is_banned, is_bot_blocked, created_at, updated_at)`;

const touch = (store: TestStore, id: string, referrerId?: string) =>
  store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }, referrerId));
const rowsOf = (store: TestStore) =>
  ownerQuery('select * from contact_counts where store_id = $1', [store.id]);

/** What the store is told equals a recount of its customers. @returns the recount */
async function expectRecount(store: TestStore): Promise<Record<string, number>> {
  const [recount] = await ownerQuery<Record<string, number>>(RECOUNT, [store.id]);
  expect((await store.data('get_billing_status')).contacts).toMatchObject(recount);
  const preview = await store.data('send_campaign', { name: 'All', text: 'Hello', audience: { all: true } });
  expect(preview).toMatchObject({ recipientCount: recount.active });
  return recount;
}

/** Statements in turn on a connection of the owner's. */
async function connected<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: app.database.ownerUrl });
  await client.connect();
  return work(client).finally(() => client.end());
}

describe('the counts of contacts', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
  const flags = { banned: fc.boolean(), blocked: fc.boolean() };
  const step = fc.oneof(
    fc.record({ kind: fc.constant('insert'), ids, ...flags }),
    fc.record({ kind: fc.constant('set'), ids, ...flags }),
    fc.record({ kind: fc.constant('turn'), ids }),
    fc.record({ kind: fc.constant('delete'), ids }),
    fc.record({ kind: fc.constant('touch'), ids }),
    fc.record({ kind: fc.constant('operation'), ids, ...flags }),
    fc.record({ kind: fc.constant('undone'), ids }),
  );

  async function apply(store: TestStore, it: any): Promise<void> {
    const some = [store.id, it.ids];
    if (it.kind === 'insert') {
      const rows = `select $1, unnest($2::bigint[]), $3::boolean, $4::boolean, now(), now()`;
      await ownerQuery(
        `${INSERT} ${rows} on conflict (store_id, id) do update set is_banned = excluded.is_banned`,
        [...some, it.banned, it.blocked],
      );
    } else if (it.kind === 'set') {
      const set = `update customers set is_banned = $3, is_bot_blocked = $4 where store_id = $1
        and id = any($2)`;
      await ownerQuery(set, [...some, it.banned, it.blocked]);
    } else if (it.kind === 'turn') {
      const turn = `update customers set is_banned = is_bot_blocked, is_bot_blocked = not is_banned
        where store_id = $1 and id = any($2)`;
      await ownerQuery(turn, some);
    } else if (it.kind === 'delete') {
      await ownerQuery('delete from customers where store_id = $1 and id = any($2)', some);
    } else if (it.kind === 'touch') {
      for (const id of it.ids) await touch(store, String(id));
    } else if (it.kind === 'operation') {
      // Who is no customer is not found, and counts for nothing.
      await store.call('update_customer', {
        id: String(it.ids[0]),
        isBanned: it.banned,
        isBotBlocked: it.blocked,
      });
    } else {
      await ownerQuery(
        `do $$ begin
           delete from customers where store_id = '${store.id}' and id in (${it.ids.join()});
           raise exception 'undone';
         exception when raise_exception then null; end $$`,
      );
    }
  }

  it('agree with a recount after any history, and leave other stores alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const [store, other] = [await app.store(), await app.store()];
        await touch(other, '1');
        await apply(other, { kind: 'insert', ids: [2, 3], banned: true, blocked: false });
        for (const it of steps) await apply(store, it);
        await expectRecount(store);
        expect(await expectRecount(other)).toEqual({ total: 3, active: 1, banned: 2, botBlocked: 0 });
      }),
      { numRuns: 15, seed: SEED },
    );
  });

  it('stay right while many write the customers of two stores, in one statement or in several', async () => {
    const stores = [await app.store(), await app.store()];
    for (const store of stores)
      await apply(store, { kind: 'insert', ids: [1, 2, 3, 4], banned: false, blocked: false });
    const both = stores.map(({ id }) => id);
    const writers = Array.from({ length: 24 }, (_, writer) =>
      connected(async (client) => {
        for (let i = 0; i < 10; i++) {
          const id = 1_000 + writer * 100 + i;
          const turned = writer % 2 ? both : [...both].reverse();
          await client.query(`${INSERT} select unnest($1::uuid[]), $2, $3, false, now(), now()`, [
            turned,
            id,
            i % 2 === 0,
          ]);
          await client.query(
            'update customers set is_bot_blocked = not is_bot_blocked where store_id = any($1) and id = $2',
            [both, id],
          );
          if (i % 3 === 0)
            await client.query('delete from customers where store_id = any($1) and id = $2', [both, id]);
        }
      }),
    );
    const calls = Array.from({ length: 60 }, (_, i) =>
      stores[i % 2].data('update_customer', {
        id: String(1 + (i % 4)),
        isBanned: i % 3 === 0,
        isBotBlocked: i % 5 === 0,
      }),
    );
    await Promise.all([...writers, ...calls]);
    for (const store of stores) {
      expect(await expectRecount(store)).toMatchObject({ total: 4 + 24 * 6 });
      // Sixteen slots, and a row for each connection that once found all of them taken.
      expect((await rowsOf(store)).length).toBeLessThanOrEqual(16 + writers.length + calls.length);
    }
  });

  it('make no writer wait for another', async () => {
    const store = await app.store();
    await connected(async (first) => {
      await first.query('begin');
      await first.query(`${INSERT} values ($1, 1, false, false, now(), now())`, [store.id]);
      // More than there are slots, one after the other: some have the slot of the first.
      for (let id = 2; id < 40; id++)
        await ownerQuery(`${INSERT} values ($1, $2, false, false, now(), now())`, [store.id, id]);
      expect((await store.data('get_billing_status')).contacts.total).toBe(38);
      await first.query('commit');
    });
    expect(await expectRecount(store)).toMatchObject({ total: 39 });
  });

  it('are not written by a visit', async () => {
    const store = await app.store();
    await touch(store, '1');
    const written = () =>
      ownerQuery('select ctid, xmin, c.* from contact_counts c where store_id = $1', [store.id]);
    const before = await written();
    expect(before).toHaveLength(1);
    await touch(store, '1');
    await store.data('update_customer', { id: '1', firstName: 'Ann', isBanned: false });
    expect(await written()).toEqual(before);
  });

  it('are deleted with their store, by whatever statement', async () => {
    for (const url of [app.database.ownerUrl, app.database.systemUrl]) {
      const [store, other] = [await app.store(), await app.store()];
      for (const { id } of [store, other]) {
        await ownerQuery(
          `${INSERT} select $1, n, n % 2 = 0, false, now(), now() from generate_series(1, 50) n`,
          [id],
        );
      }
      await touch(store, '51', '1');
      await ownerQuery('delete from stores where id = $1', [store.id], url);
      expect(await ownerQuery('select from customers where store_id = $1', [store.id])).toEqual([]);
      expect(await rowsOf(store)).toEqual([]);
      expect(await expectRecount(other)).toEqual({ total: 50, active: 25, banned: 25, botBlocked: 0 });
    }
  });
});
