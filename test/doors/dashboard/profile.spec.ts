import { type TestStore, useShop } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

describe('the profile of a store', () => {
  let store: TestStore;
  let owner: StorePage;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store({ name: 'Nordwind', currency: 'EUR' });
    owner = await StorePage.ofOwner(store);
  });

  it('has the time zone UTC until it is set, which is audited', async () => {
    const profile = { name: 'Nordwind', currency: 'EUR', language: 'en' };
    expect(await owner.data('GET', 'profile')).toEqual({ ...profile, timeZone: 'UTC' });
    const set = await owner.data('PUT', 'profile', { timeZone: 'Europe/Kyiv' });
    expect(set).toEqual({ ...profile, timeZone: 'Europe/Kyiv' });
    expect(await owner.data('GET', 'profile')).toEqual(set);
    expect((await owner.data('GET', 'audit')).items[0]).toMatchObject({
      operation: 'store.profile',
      changes: { timeZone: ['UTC', 'Europe/Kyiv'] },
    });
  });

  it('has the language en until it is set, which leaves the time zone', async () => {
    await owner.data('PUT', 'profile', { timeZone: 'Europe/Kyiv' });
    expect(await owner.data('PUT', 'profile', { language: 'uk' })).toMatchObject({
      ...{ timeZone: 'Europe/Kyiv', language: 'uk' },
    });
    expect((await owner.browser.get('stores')).body.data.items[0]).toMatchObject({ language: 'uk' });
    expect((await owner.data('GET', 'audit')).items[0]).toMatchObject({
      operation: 'store.profile',
      changes: { language: ['en', 'uk'] },
    });
    const refused = await owner.send('PUT', 'profile', { language: 'de' });
    expect(refused).toMatchObject(refusal(400, 'invalid_input'));
    expect(await owner.send('PUT', 'profile', {})).toMatchObject(refusal(400, 'invalid_input'));
    expect(await owner.data('GET', 'profile')).toMatchObject({ language: 'uk' });
  });

  it.each(['Mars/Olympus', '+03:00', '', 'Europe/Kyiv ', 3, null])(
    'refuses %j and keeps what it has',
    async (timeZone) => {
      const answer = await owner.send('PUT', 'profile', { timeZone });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^timeZone\b/);
      expect((await owner.data('GET', 'profile')).timeZone).toBe('UTC');
    },
  );

  it('is for members with the group settings', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    expect((await staff.send('PUT', 'profile', { timeZone: 'Asia/Tokyo' })).status).toBe(200);
    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['orders'] });
    expect(await staff.send('PUT', 'profile', { timeZone: 'UTC' })).toMatchObject(refusal(403, 'forbidden'));
    expect((await owner.data('GET', 'profile')).timeZone).toBe('Asia/Tokyo');
  });

  it('has a colour once it is set, which the shop and the pages have', async () => {
    const shown = async () => (await owner.browser.get('stores')).body.data.items[0].accent;
    expect(await shown()).toBeNull();
    expect(await owner.data('PUT', 'accent', { accent: '#1a7f5a' })).toEqual({ accent: '#1a7f5a' });
    expect(await shown()).toBe('#1a7f5a');
    for (const accent of ['#1A7F5A', 'red', '#1a7f5', '#1a7f5a;', 1, undefined])
      expect(await owner.send('PUT', 'accent', { accent })).toMatchObject(refusal(400, 'invalid_input'));
    expect(await owner.data('PUT', 'accent', { accent: null })).toEqual({ accent: null });
    expect(await shown()).toBeNull();
    expect((await owner.data('GET', 'audit?operation=store.accent')).items).toMatchObject([
      { changes: { accent: ['#1a7f5a', null] } },
      { changes: { accent: [null, '#1a7f5a'] } },
    ]);
  });

  it('keeps for all members whether the steps to the first sale are hidden', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['brands'] });
    const shown = async (page: StorePage) => (await page.browser.get('stores')).body.data.items[0];
    expect(await shown(owner)).toMatchObject({ id: store.id, isFirstSaleHidden: false });
    expect(await staff.data('PUT', 'first-sale', { hidden: true })).toEqual({ hidden: true });
    expect(await shown(owner)).toMatchObject({ id: store.id, isFirstSaleHidden: true });
    expect((await owner.data('GET', 'audit?operation=store.first_sale')).items).toMatchObject([
      { actor: { id: staff.userId }, changes: { hidden: [false, true] } },
    ]);
    await owner.data('PUT', 'first-sale', { hidden: false });
    expect(await shown(staff)).toMatchObject({ isFirstSaleHidden: false });
    expect(await owner.send('PUT', 'first-sale', {})).toMatchObject(refusal(400, 'invalid_input'));
  });
});
