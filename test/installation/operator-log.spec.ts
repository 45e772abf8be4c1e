import { hostname, userInfo } from 'node:os';
import { createHash } from 'node:crypto';
import { createLogger } from '../../src/platform/logging/logger.js';
import { recordAction } from '../../src/platform/database/installation/operator-log.js';
import { COMMANDS as OPERATOR } from '../../src/operator/cli/commands/operator.commands.js';
import { COMMANDS as TOKEN } from '../../src/operator/cli/commands/token.commands.js';
import { COMMANDS as STORE } from '../../src/operator/cli/commands/store.commands.js';
import type { OnlineCommand } from '../../src/operator/cli/command.js';
import { runRecorded } from '../../src/operator/cli/services.js';
import { emptyDatabase, preparedDatabase, type TestDatabase } from '../support/database/own-database.js';
import { ownerQuery, TestApp } from '../support/test-app.js';

describe('the operator log', () => {
  let app: TestApp;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await preparedDatabase();
    app = await TestApp.start({ database });
  });
  afterAll(() => app.stop());

  const COMMANDS: Record<string, OnlineCommand> = { ...OPERATOR, ...STORE, ...TOKEN };
  const run = (name: string, options: Record<string, string | boolean>): Promise<any> =>
    runRecorded(name, COMMANDS[name], {
      app: app.nest,
      options,
      runtime: {
        log: createLogger('silent'),
        directUrl: database.systemUrl,
      } as never,
    });
  const me = { user: userInfo().username, host: hostname(), at: expect.any(Date) };

  it('says who did what, and where, newest first, and from a time on', async () => {
    const made = await run('store create', {
      name: 'Ann',
      currency: 'EUR',
      'owner-email': 'ann@test.example',
    });
    await run('store suspend', { store: made.id, reason: 'unpaid' });
    await run('store list', {});
    const target = `store:${made.id}`;
    const entries = await run('operator log', {});
    expect(entries.slice(0, 2)).toEqual([
      { ...me, command: 'store suspend', target, details: { reason: 'unpaid' } },
      { ...me, command: 'store create', target, details: { currency: 'EUR', plan: 'pro' } },
    ]);
    expect(await run('operator log', { since: '2100-01-01T00:00:00Z' })).toEqual([]);
    expect(await run('operator log', { since: '2000-01-01T00:00:00Z' })).toEqual(entries);
    await expect(run('operator log', { since: 'May' })).rejects.toThrow('since must be');
  });

  it('has what was done inside a store without its secrets', async () => {
    const store = await app.store();
    const made = await run('token create', { store: store.id, name: 'Till', scope: 'read' });
    await run('token revoke', { store: store.id, id: made.id });
    const entries = await run('operator log', {});
    expect(entries.slice(0, 2)).toMatchObject([
      { command: 'token revoke', target: `token:${made.id}`, details: { store: store.id } },
      { command: 'token create', target: `token:${made.id}`, details: { store: store.id, scope: 'read' } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/shop_live_|Till/);
  });

  it('keeps the certificate of a deletion: the rows of each table, before and after', async () => {
    const store = await app.store({ name: 'Gone shop' });
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] });
    const { certificate } = await run('store delete', { store: store.id, yes: true });
    const nameSha256 = createHash('sha256').update('Gone shop').digest('hex');
    expect(certificate).toMatchObject({
      id: expect.any(String),
      store: store.id,
      nameSha256,
      before: { stores: 1, orders: 1, order_items: 1, products: 1, api_tokens: 3, store_members: 1 },
      after: {},
    });
    const [entry] = await run('operator log', {});
    const { before, after } = certificate;
    expect(entry).toEqual({
      ...me,
      command: 'store delete',
      target: `store:${store.id}`,
      details: { nameSha256, before, after },
    });
    expect(JSON.stringify(await run('operator log', {}))).not.toContain('Gone shop');
  });

  it('keeps what a store had before a deletion that was interrupted, which leaves it closed', async () => {
    const store = await app.store({ name: 'Half gone' });
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] });
    // The deletion begins, and is then refused by the server.
    const server = (text: string) => ownerQuery(text, [], database.ownerUrl);
    await server(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$`,
    );
    await server(
      'create trigger refuses before delete on products for each statement execute function refuse()',
    );
    await expect(run('store delete', { store: store.id, yes: true })).rejects.toThrow('interrupted');
    await server('drop trigger refuses on products');
    const [found] = await run('store list', { search: store.id });
    expect(found).toMatchObject({ suspendedReason: 'it is being deleted' });
    const { certificate } = await run('store delete', { store: store.id, yes: true });
    expect(certificate.before).toMatchObject({ orders: 1, order_items: 1, products: 1, api_tokens: 3 });
    expect(certificate.after).toEqual({});
    const entries = await run('operator log', {});
    expect(entries.slice(0, 2).map(({ details }: { details: object }) => 'after' in details)).toEqual([
      true,
      false,
    ]);
  });

  it('is also in the log, and nothing fails on a database of a version without it', async () => {
    const lines: string[] = [];
    const log = {
      warn: (line: object) => lines.push(JSON.stringify(line)),
      error: (line: object) => lines.push(JSON.stringify(line)),
    };
    await recordAction(await emptyDatabase(), log as never, { command: 'backup', details: { rows: 7 } });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0])).toMatchObject({
      operator: { command: 'backup', osUser: me.user, host: me.host, details: { rows: 7 } },
    });
    expect(
      await ownerQuery('select from operator_log where command = $1', ['backup'], database.ownerUrl),
    ).toEqual([]);
  });
});
