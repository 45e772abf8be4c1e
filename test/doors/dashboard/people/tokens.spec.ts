import { v7 as uuidv7 } from 'uuid';
import { TestClock, type TestStore, useShop } from '../../../support/test-app.js';
import { PROOF, refusal, StorePage } from '../browser.js';

describe('API tokens in the dashboard', () => {
  const clock = new TestClock();
  let store: TestStore;
  let owner: StorePage;

  const app = useShop({ clock });
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  it.each(['read', 'write', 'admin'] as const)(
    'creates one of scope %s that works, and shows it once',
    async (scope) => {
      const { token, ...record } = await owner.data('POST', 'tokens', { name: 'CRM', scope, ...PROOF });
      expect(record).toEqual({
        id: expect.any(String),
        name: 'CRM',
        scope,
        groups: null,
        createdAt: clock.now().toISOString(),
        expiresAt: null,
        lastUsedAt: null,
        revokedAt: null,
        createdBy: (await owner.browser.get('me')).body.data.id,
        createdByEmail: store.ownerEmail,
      });
      expect((await store.call('get_settings', {}, { token })).status).toBe(200);
      const { items, nextCursor } = await owner.data('GET', 'tokens');
      expect([items[0], nextCursor]).toEqual([record, null]);
      expect(items).toHaveLength(4);
      expect(JSON.stringify(items)).not.toContain('shop_live_');
      expect(JSON.stringify(await owner.data('GET', 'audit'))).not.toContain(token);
    },
  );

  it('audits creating and revoking as actions of the user', async () => {
    const { id } = await owner.data('POST', 'tokens', { name: 'CRM', scope: 'read' });
    await owner.data('DELETE', `tokens/${id}`);
    const { items } = await owner.data('GET', `audit?target=${id}`);
    const row = {
      transport: 'dashboard',
      target: `token:${id}`,
      outcome: 'ok',
      actor: { kind: 'user', name: store.ownerEmail },
    };
    expect(items).toMatchObject([
      { ...row, operation: 'token.revoke', input: { id } },
      { ...row, operation: 'token.create', input: { name: 'CRM', scope: 'read' } },
    ]);
  });

  it('limits a store to 100 that are not revoked or expired, even if many are created at once', async () => {
    await app.query(
      `insert into api_tokens (store_id, id, name, scope, token_hash, created_at, expires_at, revoked_at)
       select $1, gen_random_uuid(), 'filler', 'read', gen_random_uuid()::text, now(), case when n <= 20
         then $2::timestamptz end,
         case when n between 21 and 40 then now() end from generate_series(1, 132) n`,
      [store.id, clock.now()],
    );
    const make = () => owner.send('POST', 'tokens', { name: 'CRM', scope: 'read' });
    const answers = await Promise.all(Array.from({ length: 8 }, make));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400, 400, 400]);
    const refused = await make();
    expect(refused).toMatchObject(refusal(400, 'invalid_input'));
    expect(refused.body.error!.message).toMatch(/100 live tokens/);
    const { id } = answers.find(({ status }) => status === 200)!.body.data;
    await owner.data('DELETE', `tokens/${id}`);
    expect((await make()).status).toBe(200);
  });

  it('revokes at once, and keeps the time of the first revocation', async () => {
    const { id, token } = await owner.data('POST', 'tokens', { name: 'CRM', scope: 'read' });
    expect((await store.call('get_settings', {}, { token })).status).toBe(200);
    const revokedAt = clock.now().toISOString();
    expect(await owner.data('DELETE', `tokens/${id}`)).toEqual({ id, revokedAt });
    expect(await store.call('get_settings', {}, { token })).toMatchObject(refusal(401, 'invalid_token'));
    clock.advance(1000);
    expect(await owner.data('DELETE', `tokens/${id}`)).toEqual({ id, revokedAt });
    expect(
      (await owner.data('GET', 'tokens')).items.find((item: { id: string }) => item.id === id),
    ).toMatchObject({ revokedAt });
  });

  it('does not show tokens of other stores', async () => {
    const stranger = await app.store();
    for (const id of [stranger.tokenIds.admin, uuidv7(), 'x']) {
      expect(await owner.send('DELETE', `tokens/${id}`)).toMatchObject(refusal(404, 'not_found'));
    }
    expect((await stranger.call('get_settings')).status).toBe(200);
  });

  it('creates a token that expires', async () => {
    const expiresAt = new Date(clock.now().getTime() + 1000).toISOString();
    const { token, ...record } = await owner.data('POST', 'tokens', {
      name: 'x'.repeat(100),
      scope: 'read',
      expiresAt,
    });
    expect(record.expiresAt).toBe(expiresAt);
    expect((await store.call('get_settings', {}, { token })).status).toBe(200);
    clock.advance(1000);
    expect((await store.call('get_settings', {}, { token })).status).toBe(401);
  });

  it.each([
    [{ scope: 'read' }, 'name'],
    [{ name: '', scope: 'read' }, 'name'],
    [{ name: 'x'.repeat(101), scope: 'read' }, 'name'],
    [{ name: null, scope: 'read' }, 'name'],
    [{ name: 'x' }, 'scope'],
    [{ name: 'x', scope: 'owner' }, 'scope'],
    [{ name: 'x', scope: ['read'] }, 'scope'],
    [{ name: 'x', scope: 'read', expiresAt: '2030-01-01' }, 'expiresAt'],
    [{ name: 'x', scope: 'read', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ name: 'x', scope: 'read', storeId: uuidv7() }, 'storeId'],
  ])('creates none from bad input (%#)', async (input, field) => {
    const answer = await owner.send('POST', 'tokens', input);
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message.startsWith(field)).toBe(true);
    expect((await owner.data('GET', 'tokens')).items).toHaveLength(3);
    expect((await owner.data('GET', 'audit')).items).toEqual([]);
  });
});
