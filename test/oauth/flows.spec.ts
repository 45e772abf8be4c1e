import { OauthApp } from './oauth-app.js';

describe('an app that a person lets in', () => {
  let oauth: OauthApp;
  beforeAll(async () => {
    oauth = await OauthApp.start({ env: { LOG_LEVEL: 'error' } });
  });
  afterAll(() => oauth.app.stop());

  it('gets tokens, and calls', async () => {
    const store = await oauth.app.store();
    const person = oauth.person(store);
    const { access_token: access, refresh_token: refresh } = await oauth.tokens(person, {}, { scope: 'write' });
    const listed = (await (await oauth.mcp(access)).json()) as { result: { tools: { name: string }[] } };
    expect(listed.result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_orders', 'set_order_status']));
    const again = await oauth.refresh(refresh);
    expect(again).toMatchObject({ status: 200, scope: 'read write' });
  });
});
