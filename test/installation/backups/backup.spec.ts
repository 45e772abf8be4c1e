import { MIGRATIONS } from '../../../migrations/all.js';
import { prepareDatabase } from '../../../src/platform/database/installation/migrate.js';
import { goes } from '../../../src/operator/backup/tables.js';
import { everyRow } from '../../support/database/every-table.js';
import { definitionAt } from '../../support/database/definition.js';
import { emptyDatabase } from '../../support/database/own-database.js';
import { shop } from '../../support/servers/service-process.js';
import { ownerQuery, TestApp } from '../../support/test-app.js';
import { BackedUp, env, key, ordinal, prepared } from './backed-up.js';
import { itWhenSlow } from '../../support/slow.js';

describe('a backup', () => {
  let made: BackedUp;
  beforeAll(async () => {
    made = await BackedUp.make();
  });
  afterAll(() => made.remove());

  const isOfStore = (row: string) => row.includes(made.full.id);

  it('of everything restores into an empty database of another name, which then works', async () => {
    const target = await emptyDatabase();
    const restored = await shop(env(target), 'restore', '--from', made.whole);
    expect(restored).toMatchObject({ code: 0, output: { stores: 2, migrationsApplied: [] } });
    expect(await everyRow(target)).toEqual(made.everything);
    // Nobody has ever found less than there is: what is found came with the records.
    expect(
      await ownerQuery(
        'select xmin::text as transaction from products union select xmin::text from search_documents',
        [],
        target,
      ),
    ).toHaveLength(1);
    await made.full.mustWork(await prepared(target), [key]);
    // What was there before is followed by what is written here, whose transactions may have lower numbers.
    const [{ epochs }] = await ownerQuery<{ epochs: number[] }>(
      'select array_agg(distinct epoch order by epoch) as epochs from order_events',
      [],
      target,
    );
    expect(epochs).toEqual([1, 2]);
    expect((await prepareDatabase(target, [key], MIGRATIONS)).repaired).toEqual([]);
    // What came after is not lost to a second restore.
    const again = await shop(env(target), 'restore', '--from', made.whole);
    expect(again).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('is not empty') } },
    });
  });

  itWhenSlow(
    'of everything makes keys, indexes and references of the rows, the same as without rows',
    async () => {
      const target = await emptyDatabase();
      await ownerQuery(NOTE_CUSTOMERS, [], target);
      expect(await shop(env(target), 'restore', '--from', made.whole)).toMatchObject({ code: 0 });
      const noted = await ownerQuery<{ command: string }>(
        `select distinct command from noted.commands where customers > 20000 and command ~ 'customers'`,
        [],
        target,
      );
      for (const statement of [
        /ADD CONSTRAINT CUSTOMERS_PKEY PRIMARY KEY/,
        /CREATE INDEX CUSTOMERS_OF_REFERRER /,
        /ADD CONSTRAINT ORDERS_CUSTOMER FOREIGN KEY/,
      ])
        expect(noted).toContainEqual({ command: expect.stringMatching(new RegExp(statement, 'i')) });
      await ownerQuery('drop schema noted cascade', [], target);
      const definition = async (url: string) =>
        (await definitionAt(url)).filter((line) => !line.includes('FUNCTION public.order_event_epoch()'));
      const { ownerUrl } = await prepared(await emptyDatabase());
      expect(await definition(target)).toEqual(await definition(ownerUrl));
    },
  );

  it('of one store can be restored into an installation with other stores, with its people', async () => {
    const target = await prepared(await emptyDatabase());
    const app = await TestApp.start({ database: target, encryptionKeys: [key] });
    const there = await app.store({ name: 'There already' });
    const { productId } = await there.product();
    await there.place({ items: [{ productId, quantity: 1 }] });
    await app.stop();
    const before = await everyRow(target.ownerUrl);
    const restored = await shop(env(target.ownerUrl), 'restore', '--from', made.single);
    expect(restored).toMatchObject({
      code: 0,
      output: {
        id: made.full.id,
        name: 'Full shop',
        members: [{ email: made.full.email, role: 'owner' }],
        invitations: [],
      },
    });
    const after = await everyRow(target.ownerUrl);
    for (const [table, rows] of Object.entries(after)) {
      const ofStore = rows.filter(isOfStore).map(withoutEpoch);
      expect({ table, rows: ofStore }).toEqual({
        table,
        rows: made.everything[table]
          .filter((row) => isOfStore(row) && !isOfSessions(table))
          .map(withoutEpoch),
      });
      expect(rows).toEqual(expect.arrayContaining(before[table]));
    }
    const feed = 'select event from order_events where store_id = $1 order by epoch desc, xid desc limit 1';
    await made.full.mustWork(target, [key]);
    expect(await ownerQuery(feed, [made.full.id], target.ownerUrl)).toEqual([{ event: 'order.updated' }]);
    const twice = await shop(env(target.ownerUrl), 'restore', '--from', made.single);
    expect(twice).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('in this installation already') } },
    });
  });

  it('of everything restores one store, and gives no membership to an account of that address', async () => {
    const target = await prepared(await emptyDatabase());
    const squatter = ordinal(1);
    await ownerQuery(
      `insert into users (id, email, email_key, password_hash, created_at)
       values ($1, $2, $2, 'none', now())`,
      [squatter, made.full.email],
      target.ownerUrl,
    );
    const restored = await shop(
      env(target.ownerUrl),
      'restore',
      '--from',
      made.whole,
      '--store',
      made.full.id,
    );
    expect(restored).toMatchObject({
      code: 0,
      output: {
        id: made.full.id,
        members: [],
        invitations: [{ email: made.full.email, role: 'owner', invitation: expect.stringContaining('http') }],
      },
    });
    expect(await ownerQuery('select user_id from store_members', [], target.ownerUrl)).toEqual([]);
    expect(await ownerQuery('select id, password_hash from users', [], target.ownerUrl)).toEqual([
      { id: squatter, password_hash: 'none' },
    ]);
    expect(await ownerQuery('select id from stores', [], target.ownerUrl)).toEqual([{ id: made.full.id }]);
    for (const id of [ordinal(9), 'nope']) {
      expect(await shop(env(target.ownerUrl), 'restore', '--from', made.whole, '--store', id)).toMatchObject({
        code: 1,
        output: { error: { code: 'invalid_input', message: `from holds no store ${id}` } },
      });
    }
  });
});

/** Notes each command that defines something, with how many customers there are at that time. */
const NOTE_CUSTOMERS = `
  create schema noted;
  create table noted.commands (command text, customers bigint);
  create function noted.note() returns event_trigger language plpgsql as $$ begin
    if to_regclass('public.customers') is not null then
      insert into noted.commands select current_query(), count(*) from public.customers;
    end if;
  end $$;
  create event trigger noted on ddl_command_end execute function noted.note()`;

/** Of an event: where it stands among those of the installation. */
const withoutEpoch = (row: string) => row.replace(/"epoch": -?\d+/, '"epoch"');

/** Sessions do not go with a store, nor what only signs people in elsewhere or tells them of orders. */
const isOfSessions = (table: string) =>
  !goes(table, 'move') ||
  ['sessions', 'known_browsers', 'password_resets', 'sign_in_attempts'].includes(table) ||
  table.startsWith('oauth_');
