import { createHash } from 'node:crypto';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { commandCode } from '../support/servers/service-process.js';
import { CHANGES, EXAMPLES, PARTS, SECRETS } from '../support/examples.js';
import { storeDump } from '../support/database/store-dump.js';
import { type TestStore, useShopWithMessenger } from '../support/test-app.js';

/** What reads the record that an operation changes, where their names do not say it. */
const READ_BY: Record<string, string> = {
  update_general: 'get_settings',
  set_order_status: 'get_order',
  ship_order: 'get_order',
  refund_order: 'get_order',
};

describe('the audit row', () => {
  let store: TestStore;
  let operations: string[];

  const { app } = useShopWithMessenger();
  beforeAll(async () => {
    store = await app.store();
    operations = app.nest
      .get(OperationRegistry)
      .list()
      .map(({ name }) => name);
  });

  /** @param part the operation whose rows tell of each record of a call for many */
  const rowOf = async (requestId: string, part?: string) => {
    const rows = await app.query<any>(
      `select * from audit_log where store_id = $1 and request_id = $2 and operation = coalesce($3, operation)
       order by id`,
      [store.id, requestId, part],
    );
    expect(rows).toHaveLength(part ? 2 : 1);
    return rows[0];
  };
  const dump = async () => {
    const { audit_log: _, ...others } = await storeDump(app, store.id);
    return others;
  };
  /** The record an operation is about, as the operation that reads it returns it. */
  const read = async (
    operation: string,
    { id, orderId }: Record<string, any>,
  ): Promise<Record<string, unknown> | null> => {
    const getter = READ_BY[operation] ?? operation.replace(/^(update|delete)_/, 'get_');
    if (getter === operation || !operations.includes(getter)) return null;
    const { body } = await store.call(getter, JSON.parse(JSON.stringify({ id, orderId })));
    return body.ok ? body.data : null;
  };

  it.each(CHANGES)(
    'names, for %s, its target as kind:id and what changed, before and after',
    async (name) => {
      const input = await EXAMPLES[name](store);
      const [before, recordBefore] = [await dump(), await read(name, input)];
      const answer = await store.call(name, input, { headers: { 'X-Request-Id': `audit-${name}` } });
      expect(answer.status).toBe(200);
      const [after, recordAfter] = [await dump(), await read(name, input)];
      const { target, changes } = await rowOf(`audit-${name}`, PARTS[name]);
      expect(target).toMatch(/^[a-z_]+:[^:]+$/);
      expect(JSON.stringify([before, after])).toContain(target.split(':')[1]);
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        expect(Object.keys(changes ?? {}).length).toBeGreaterThan(0);
        for (const pair of Object.values(changes)) expect(pair).toHaveLength(2);
      }
      if (recordBefore) expect(changes).toMatchObject(changesOf(recordBefore, recordAfter));
    },
  );

  /**
   * A deletion keeps the whole record; an update what it changed, except when. What is told of secrets
   * differs: its own tests say how.
   */
  function changesOf(
    before: Record<string, unknown>,
    after: Record<string, unknown> | null,
  ): Record<string, unknown> {
    const names = Object.keys(before).filter(
      (name) => !['metadata', 'tokenHint'].includes(name) && (!after || name !== 'updatedAt'),
    );
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after?.[name]));
    return Object.fromEntries(changed.map((name) => [name, [before[name], after?.[name] ?? null]]));
  }

  it('keeps a deleted order whole, with its notes', async () => {
    const input = await EXAMPLES.delete_order(store);
    await store.data('add_order_note', { orderId: input.orderId, note: 'Call first' });
    const order = await store.data('get_order', { orderId: input.orderId });
    await store.call('delete_order', input, { headers: { 'X-Request-Id': 'whole-order' } });
    const { target, changes } = await rowOf('whole-order');
    expect(target).toBe(`order:${input.orderId}`);
    for (const [name, value] of Object.entries(order))
      expect([name, changes[name]]).toEqual([name, [value, null]]);
    expect(changes.notes).toMatchObject([[{ text: 'Call first', author: 'test admin' }], null]);
  });

  it('shortens a value over 2 KiB, and keeps its length and SHA-256', async () => {
    const [fits, long] = ['a'.repeat(2_048), 'é'.repeat(1_900)];
    const { id } = await store.data('create_brand', { name: 'Short', slug: 'short', description: 'a' });
    const update = async (description: string, requestId: string) => {
      await store.call(
        'update_brand',
        { id, description: description.slice(0, 2_000) },
        { headers: { 'X-Request-Id': requestId } },
      );
      return rowOf(requestId);
    };
    const text = long.slice(0, 2_000);
    const sign = {
      shortened: text.slice(0, 500),
      length: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    };
    const row = await update(long, 'long-value');
    expect(row.input).toEqual({ id, description: sign });
    expect(row.changes).toEqual({ description: ['a', sign] });
    const next = await update(fits, 'short-value');
    expect(next.input.description).toBe(fits.slice(0, 2_000));
    expect(next.changes.description).toEqual([sign, fits.slice(0, 2_000)]);
  });

  it('holds the start of the JSON of a list over 2 KiB', async () => {
    const levels = Array.from({ length: 60 }, (_, i) => ({
      minOrders: i,
      maxOrders: null,
      cashbackPercentage: 1,
      levelName: `Level ${i}`,
    }));
    const cashback = {
      enabled: true,
      levels,
      categoryRates: [],
      promotions: [],
      maxCashbackPerOrder: null,
      cashbackTrigger: 'on_payment',
    };
    await store.call('update_monetization', { cashback }, { headers: { 'X-Request-Id': 'long-list' } });
    const { input, changes } = await rowOf('long-list');
    const json = JSON.stringify(cashback);
    const sha256 = createHash('sha256').update(json).digest('hex');
    expect(input.cashback).toEqual({ shortened: json.slice(0, 500), length: json.length, sha256 });
    expect(changes.cashback[1]).toMatchObject({ shortened: expect.stringMatching(/^\{"enabled":true/) });
  });

  describe('of a command', () => {
    const run = async (name: string, options: Record<string, string>) =>
      (await commandCode(name)).run({
        app: app.nest,
        options: { store: store.id, ...options, json: true },
        runtime: undefined as never,
      } as never);
    const newest = async (operation: string) => {
      const rows = await app.query<any>(
        `select target, input, changes, transport, actor_name, outcome from audit_log
         where store_id = $1 and operation = $2 order by id desc limit 1`,
        [store.id, operation],
      );
      expect(rows[0]).toMatchObject({ transport: 'cli', actor_name: 'operator', outcome: 'ok' });
      return rows[0];
    };

    it('names the input, the target and the changes', async () => {
      const { id, token } = (await run('token create', {
        name: 'CRM',
        scope: 'read',
        'expires-in-days': '3',
      })) as any;
      const created = await newest('token.create');
      expect(created).toMatchObject({
        target: `token:${id}`,
        input: { name: 'CRM', scope: 'read', 'expires-in-days': '3' },
        changes: { name: [null, 'CRM'], scope: [null, 'read'], expiresAt: [null, expect.any(String)] },
      });
      await run('token revoke', { id });
      const revoked = await newest('token.revoke');
      expect(revoked).toMatchObject({
        target: `token:${id}`,
        input: { id },
        changes: { revokedAt: [null, expect.any(String)] },
      });
      const url = 'https://93.184.216.34/hook';
      await app.query('delete from webhook_endpoints where store_id = $1', [store.id]);
      const { secret } = (await run('webhook set', { url })) as any;
      const saved = await newest('webhook.save');
      expect(saved).toMatchObject({
        target: `webhook:${store.id}`,
        input: { url },
        changes: { url: [null, url] },
      });
      const told = JSON.stringify([created, revoked, saved]);
      expect([token, secret, ...SECRETS].filter((one) => told.includes(one))).toEqual([]);
    });
  });
});
