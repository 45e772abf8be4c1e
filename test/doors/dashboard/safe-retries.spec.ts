import { randomUUID } from 'node:crypto';
import { type Answer, type TestStore, useShop } from '../../support/test-app.js';
import { OWNER_PASSWORD, PROOF, refusal, StorePage } from './browser.js';

describe('Idempotency-Key on the dashboard', () => {
  let store: TestStore;
  let owner: StorePage;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const twice = async (method: string, path: string, body?: object): Promise<Answer[]> => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return [await owner.send(method, path, body, headers), await owner.send(method, path, body, headers)];
  };
  const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
  const rows = (operation: string) => owner.data('GET', `audit?operation=${operation}`);

  it('makes one effect of a repeated operation', async () => {
    const { productId } = await store.product({ itemAmount: 10 });
    const [first, second] = await twice('POST', 'operations/update_stock', { productId, delta: 7 });
    expect([first.status, isReplay(first), isReplay(second)]).toEqual([200, false, true]);
    expect(second.body).toEqual(first.body);
    expect((await store.data('get_product', { id: productId })).itemAmount).toBe(17);
  });

  it('answers a repeated route with its first answer', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    const change = { role: 'owner', ...PROOF };
    const [first, second] = await twice('PUT', `members/${staff.userId}`, change);
    expect([first.status, isReplay(first), isReplay(second)]).toEqual([200, false, true]);
    expect(second.body).toEqual(first.body);
    expect((await rows('member.role')).items).toHaveLength(1);
  });

  it('takes a password that is typed anew for a repeat, and keeps nothing of it', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    const headers = { 'Idempotency-Key': randomUUID() };
    const change = (currentPassword: string) =>
      owner.send('PUT', `members/${staff.userId}`, { role: 'owner', currentPassword }, headers);
    expect((await change(OWNER_PASSWORD)).status).toBe(200);
    expect(isReplay(await change('another one'))).toBe(true);
  });

  it.each([
    ['POST', 'tokens', { name: 'once', scope: 'read' }, 'token.create'],
    ['POST', 'members', { email: 'once@test.example' }, 'member.invite'],
    ['PUT', 'webhook', { url: 'https://once.example/hook' }, 'webhook.save'],
  ])('of %s %s, whose answer has a secret, refuses the repeat and keeps no answer', async (...route) => {
    const [method, path, body, operation] = route;
    const [first, second] = await twice(method, path, body);
    expect(first.status).toBe(200);
    expect(second).toMatchObject(refusal(400, 'invalid_input'));
    expect(second.body.error!.message).toContain('nothing was done again');
    expect((await rows(operation)).items).toHaveLength(1);
    expect(await app.query('select answer from idempotency_keys where store_id = $1', [store.id])).toEqual([
      { answer: null },
    ]);
  });
});
