import { type TestStore, useShop } from '../../../support/test-app.js';
import { refusal, StorePage } from '../browser.js';

const PACK = { page: 'orders', name: 'To pack', query: 'status=PROCESSING&sort=oldest&text=mug+%26+cup' };

describe('saved views', () => {
  let store: TestStore;
  let owner: StorePage;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const namesOf = async (page: StorePage, of = 'orders') =>
    (await page.data('GET', `views?page=${of}`)).items.map(({ name }: { name: string }) => name);

  it('are kept per page for all members, with their filters in the order of their names', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    const saved = await staff.data('POST', 'views', PACK);
    expect(saved).toMatchObject({
      ...{ page: 'orders', name: 'To pack', query: 'sort=oldest&status=PROCESSING&text=mug+%26+cup' },
      mayDelete: true,
    });
    await owner.data('POST', 'views', {
      page: 'customers',
      name: 'To pack',
      query: 'by=purchases&minOrders=2',
    });
    expect([await namesOf(owner), await namesOf(staff, 'customers')]).toEqual([['To pack'], ['To pack']]);
    const stranger = await StorePage.ofOwner(await app.store());
    expect(await namesOf(stranger)).toEqual([]);
    expect(await stranger.send('PUT', `views/${saved.id}`, { name: 'Mine' })).toMatchObject(
      refusal(404, 'not_found'),
    );
    expect((await owner.data('GET', 'audit?operation=view.save')).items[1]).toMatchObject({
      target: `saved_view:${saved.id}`,
      actor: { id: staff.userId },
      changes: { name: [null, 'To pack'], query: [null, saved.query] },
    });
  });

  it.each([
    [{ name: ' To pack' }, /^name must be a string of 1 to 60 characters/],
    [{ name: '' }, /^name/],
    [{ name: 'x'.repeat(61) }, /^name/],
    [{ name: 'To\npack' }, /^name/],
    [{ page: 'products' }, /^page must be one of orders, customers/],
    [{ query: '' }, /^query/],
    [{ query: 'text=' }, /^query must have a filter/],
    [{ query: `text=${'x'.repeat(2_000)}` }, /^query/],
    [{ query: `text=${'ж'.repeat(500)}` }, /^query must be at most 2000 characters/],
    [{ query: '../customers?text=a' }, /^query has "..\/customers\?text", which is no filter of orders/],
    [{ query: 'text=a&text=b' }, /^query has a filter twice/],
    [{ query: 'minOrders=2' }, /^query has "minOrders"/],
  ])('refuse what is no view (%#)', async (change, message) => {
    const answer = await owner.send('POST', 'views', { ...PACK, ...change });
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message).toMatch(message);
    expect(await namesOf(owner)).toEqual([]);
  });

  it('have names that are unique on their page in any case, and are renamed and changed', async () => {
    const { id, updatedAt } = await owner.data('POST', 'views', { ...PACK, name: 'Нові Ω' });
    const used = /^name is already used by another view of this page/;
    const again = await owner.send('POST', 'views', { ...PACK, name: 'НОВІ ω' });
    expect([again.status, again.body.error!.message]).toEqual([400, expect.stringMatching(used)]);
    const other = await owner.data('POST', 'views', PACK);
    const taken = await owner.send('PUT', `views/${other.id}`, { name: 'нові Ω' });
    expect([taken.status, taken.body.error!.message]).toEqual([400, expect.stringMatching(used)]);
    expect(await owner.data('PUT', `views/${id}`, { name: 'НОВІ' })).toMatchObject({ name: 'НОВІ' });
    expect(await owner.data('PUT', `views/${id}`, { query: 'text=a' })).toMatchObject({ query: 'text=a' });
    const foreign = await owner.send('PUT', `views/${id}`, { query: 'minOrders=1' });
    expect(foreign).toMatchObject(refusal(400, 'invalid_input'));
    const stale = await owner.browser.send(
      'PUT',
      `stores/${store.id}/views/${id}`,
      { name: 'x' },
      {
        'Content-Type': 'application/json',
        'If-Match': updatedAt,
      },
    );
    expect(stale).toMatchObject(refusal(412, 'precondition_failed'));
    expect(await namesOf(owner)).toEqual(['НОВІ', 'To pack']);
  });

  it('are deleted by who saved them and by owners', async () => {
    const [staff, other] = [await StorePage.ofStaff(store, owner), await StorePage.ofStaff(store, owner)];
    const { id } = await staff.data('POST', 'views', PACK);
    expect((await other.data('GET', 'views?page=orders')).items).toMatchObject([{ id, mayDelete: false }]);
    expect(await other.send('DELETE', `views/${id}`)).toMatchObject(refusal(403, 'forbidden'));
    expect(await staff.data('DELETE', `views/${id}`)).toEqual({ id, deleted: true });
    const mine = await staff.data('POST', 'views', PACK);
    expect(await owner.data('DELETE', `views/${mine.id}`)).toEqual({ id: mine.id, deleted: true });
    expect(await owner.send('DELETE', `views/${mine.id}`)).toMatchObject(refusal(404, 'not_found'));
  });

  it('are for members who may see their page', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    const { id } = await owner.data('POST', 'views', PACK);
    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['customers'] });
    expect(await staff.send('GET', 'views?page=orders')).toMatchObject(refusal(403, 'forbidden'));
    expect(await staff.send('POST', 'views', PACK)).toMatchObject(refusal(403, 'forbidden'));
    expect(await staff.send('PUT', `views/${id}`, { name: 'x' })).toMatchObject(refusal(404, 'not_found'));
    expect(await staff.send('DELETE', `views/${id}`)).toMatchObject(refusal(404, 'not_found'));
    expect(await namesOf(staff, 'customers')).toEqual([]);
    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['brands'] });
    expect(await staff.send('GET', 'views?page=customers')).toMatchObject(refusal(403, 'forbidden'));
  });

  it('are at most 50 on a page, also if they are saved at once', async () => {
    const names = Array.from({ length: 52 }, (_, i) => `View ${i}`);
    const answers = await Promise.all(names.map((name) => owner.send('POST', 'views', { ...PACK, name })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    const { body } = answers.find(({ status }) => status !== 200)!;
    expect(body.error!.message).toBe('page has 50 views, which is the most: delete one first');
    await owner.data('POST', 'views', { page: 'customers', name: 'One', query: 'text=a' });
  });
});
