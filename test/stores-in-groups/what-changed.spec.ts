import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { ACCESS, rowOf, writeRow } from '../../src/operator/backup/moving/arrive.js';
import { type StoreTable, storeTables } from '../../src/operator/backup/moving/store-tables.js';
import {
  leaveRoom,
  prepareEnds,
  type Since,
  synchronise,
} from '../../src/operator/backup/moving/synchronise.js';
import { plainClient } from '../../src/operator/backup/snapshot.js';
import { prepared } from '../installation/backups/backed-up.js';
import { everyRow } from '../support/database/every-table.js';
import { emptyDatabase, type TestDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { FullShop } from '../support/full-shop.js';

const key = randomBytes(32).toString('base64');
const CUSTOMERS = 4_000;

describe('a store that was copied and has changed since', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  let full: FullShop;
  let ends: { from: pg.Client; to: pg.Client; owner: pg.Client };
  let writer: pg.Client;
  let tables: StoreTable[];
  let since: Since | null = null;

  beforeAll(async () => {
    source = await prepared(await emptyDatabase(), [key]);
    target = await prepared(await emptyDatabase(), [key]);
    full = await FullShop.create(source, [key]);
    ends = {
      from: plainClient(source.systemUrl),
      to: plainClient(target.systemUrl),
      owner: plainClient(target.ownerUrl),
    };
    writer = plainClient(source.systemUrl);
    await Promise.all([...Object.values(ends), writer].map((client) => client.connect()));
    tables = (await storeTables(ends.from)).filter(({ name }) => !ACCESS.includes(name));
    await here(
      `insert into customers (store_id, id, created_at, updated_at)
       select $1, n, now(), now() from generate_series(1, ${CUSTOMERS}) n`,
    );
    await prepareEnds(ends);
    await writeRow(ends.to, { ...(await rowOf(ends.from, full.id)), read_only_since: new Date() });
  });
  afterAll(async () => {
    await Promise.all([...Object.values(ends ?? {}), writer].map((client) => client?.end()));
    await full?.stop();
  });

  const here = (text: string) => writer.query(text, [full.id]);
  const there = (text: string) => ends.to.query(text, [full.id]);
  const rows = (url: string) =>
    everyRow(url, (table) =>
      tables.some(({ name }) => name === table) ? `where store_id = '${full.id}'` : 'where false',
    );
  const pass = async () => {
    const result = await synchronise(ends, tables, full.id, since);
    ({ since } = result);
    return result;
  };
  const mustBeEqual = async () => expect(await rows(target.ownerUrl)).toEqual(await rows(source.ownerUrl));

  it('is copied whole, and then nothing of it is read that has not changed', async () => {
    const { changed, counts } = await pass();
    expect(changed).toBeGreaterThan(CUSTOMERS);
    expect(counts.customers).toBeGreaterThanOrEqual(CUSTOMERS);
    await mustBeEqual();
    // Transactions of other databases of the server, which began before it was copied, may last for a while.
    await eventually('nothing is left to compare', async () => {
      const next = await pass();
      expect(next.changed).toBe(0);
      expect(next.counts).toEqual(counts);
      return next.compared === 0;
    });
  });

  it('is the same after what was added, changed and deleted, and only that is compared', async () => {
    // As many are deleted as are added.
    await here(`insert into customers (store_id, id, created_at, updated_at)
      values ($1, ${CUSTOMERS} + 1, now(), now())`);
    await here('delete from customers where store_id = $1 and id = 1');
    await here(`update customers set first_name = 'Changed' where store_id = $1 and id between 2 and 4`);
    await here(`update orders set status = 'DELIVERED' where store_id = $1`);
    await here(`update pictures set bytes = bytes || '\\x00' where store_id = $1`);
    const { changed, compared, counts } = await pass();
    await mustBeEqual();
    expect(counts.customers).toBeGreaterThanOrEqual(CUSTOMERS);
    expect(changed).toBeGreaterThanOrEqual(7);
    expect(compared).toBeLessThan(CUSTOMERS / 10);
  });

  it('is the same after rows have exchanged what is unique, and one its key', async () => {
    await here(`insert into brands (store_id, id, name, slug, is_active, created_at, updated_at)
      select $1, gen_random_uuid(), slug, slug, true, now(), now() from unnest('{left,right}'::text[]) slug`);
    await pass();
    await here(`update brands set slug = 'between' where store_id = $1 and slug = 'left'`);
    await here(`update brands set slug = 'left' where store_id = $1 and slug = 'right'`);
    await here(`update brands set slug = 'right' where store_id = $1 and slug = 'between'`);
    await here('delete from customers where store_id = $1 and id = 5');
    await here(`insert into customers (store_id, id, first_name, created_at, updated_at)
      values ($1, 5, 'Another', now(), now())`);
    expect((await pass()).compared).toBeLessThan(CUSTOMERS / 10);
    await mustBeEqual();
  });

  it('is the same whatever happened where it arrives, and if as much is gone at both ends', async () => {
    await there(`update customers set first_name = 'Not here' where store_id = $1 and id = 10`);
    await there('delete from customers where store_id = $1 and id = 11');
    await there(`insert into customers (store_id, id, created_at, updated_at)
      values ($1, ${CUSTOMERS} + 2, now(), now())`);
    await pass();
    await mustBeEqual();
    await there('delete from customers where store_id = $1 and id = 12');
    await here('delete from customers where store_id = $1 and id = 13');
    expect((await pass()).compared).toBeLessThan(CUSTOMERS / 10);
    await mustBeEqual();
  });

  it('is the same if triggers enter rows with the numbers that rows have which were copied', async () => {
    const entered = (first: number) =>
      here(
        `insert into order_days (store_id, day, id, pending, processing, shipped, delivered, cancelled,
           revenue) overriding system value
         select $1, sales_day(created_at), ${first} + n, 0, 0, 0, 0, 0, 0
         from orders, generate_series(1, 30) n where store_id = $1`,
      );
    const { rows: last } = await ends.owner.query<{ last: number }>(
      `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('order_days', 'id')::regclass), 0)::int
         as last`,
    );
    await entered(last[0].last);
    await pass();
    const atHome = plainClient(source.ownerUrl);
    await atHome.connect();
    await atHome.query(`select setval(pg_get_serial_sequence('order_days', 'id'), $1::bigint + 1000)`, [
      last[0].last,
    ]);
    await leaveRoom(atHome, ends.owner);
    await atHome.end();
    await here(`update orders set status = 'PENDING' where store_id = $1`);
    await pass();
    await mustBeEqual();
  });

  it('has only what was committed before it was read, and the rest after the next time', async () => {
    await writer.query('begin');
    await here(`update customers set first_name = 'Late' where store_id = $1 and id = 20`);
    await writer.query('savepoint later');
    await here(`update customers set first_name = 'Later' where store_id = $1 and id = 21`);
    await writer.query('release savepoint later');
    const before = await rows(source.ownerUrl);
    await pass();
    expect(await rows(target.ownerUrl)).toEqual(before);
    await writer.query('commit');
    await pass();
    await mustBeEqual();
  });
});
