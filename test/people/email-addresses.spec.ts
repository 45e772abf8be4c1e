import { Stores } from '../../src/stores/stores.service.js';
import { Browser, OWNER_PASSWORD } from '../doors/dashboard/browser.js';
import { useShop } from '../support/test-app.js';

describe('e-mail addresses', () => {
  const app = useShop();
  const create = (ownerEmail: string) =>
    app.nest
      .get(Stores)
      .create({ name: 'Addresses', currency: 'USD', plan: 'pro', ownerEmail, ownerPassword: OWNER_PASSWORD });

  it.each([
    ['zoë', 'zoe\u0308'],
    ['weiß', 'WEISS'],
    ['ipek', 'İPEK'],
    ['anna', '\u00a0ANNA'],
    ['ann\u200ba', 'Anna'],
  ])('of %j and %j are one person', async (one, other) => {
    const host = `@${Math.random().toString(36).slice(2)}.example`;
    const { ownerEmail } = await create(one + host);
    await expect(create(other + host)).rejects.toMatchObject({
      message: expect.stringMatching(/^ownerPassword: the address has an account already/),
    });
    const { status, body } = await new Browser(app).signIn(other + host);
    expect([status, body.data.user?.email ?? body.data.email]).toEqual([200, ownerEmail]);
  });

  it.each([
    ['о’neill', "o'neill"],
    ['ёж', 'еж'],
    ['zoë', 'zoe'],
  ])('of %j and %j are two people', async (one, other) => {
    const host = `@${Math.random().toString(36).slice(2)}.example`;
    await create(one + host);
    await expect(create(other + host)).resolves.toMatchObject({ ownerEmail: other + host });
  });
});
