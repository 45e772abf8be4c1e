import { v7 as uuidv7 } from 'uuid';
import { BotWebhook } from '../storefront/mini-app.js';
import { eventually, gate } from '../../support/eventually.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

describe('the campaigns page', () => {
  let store: TestStore;
  let owner: StorePage;

  const { app, messenger: server } = useShopWithMessenger({ env: { BASE_URL: 'https://shop.example' } });
  beforeEach(async () => {
    server.reset();
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    await store.data('connect_bot', { token: store.botToken });
    await app.query(
      `insert into customers (store_id, id, first_name, last_name, username, created_at, updated_at)
       select $1, n, 'Name', n::text, 'user' || n, now(), now() from generate_series(1, 4) n`,
      [store.id],
    );
  });

  const send = (input: object = {}) =>
    store.data('send_campaign', {
      name: 'Spring',
      text: 'Sale!',
      audience: { all: true },
      confirm: true,
      ...input,
    });
  const refuse = (customers: string[], answer = botApi.blocked()) =>
    server.always('sendMessage', ({ body }) => (customers.includes(body.chat_id) ? answer : undefined));

  it('is empty at first, and does not list previews', async () => {
    await send({ confirm: false });
    expect(await owner.data('GET', 'campaigns')).toEqual({ items: [], nextCursor: null });
  });

  it('lists campaigns with their outcomes, newest first', async () => {
    refuse(['2', '3']);
    const button = { buttonText: 'Open', buttonUrl: 'https://shop.example/' };
    const first = await send({ name: 'First', ...button, audience: { customerIds: ['1', '2'] } });
    await send({ name: 'Second' });
    const { items } = await owner.data('GET', 'campaigns');
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Second', 'First']);
    expect(items[1]).toEqual({
      id: first.campaignId,
      name: 'First',
      text: 'Sale!',
      imageUrl: null,
      ...button,
      audience: 'chosen',
      status: 'finished',
      recipientCount: 2,
      pending: 0,
      sent: 1,
      failed: 0,
      blocked: 1,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      pictureRefused: null,
    });
    // The customer who blocked the bot is no recipient any more.
    expect(items[0]).toMatchObject({ audience: 'all', recipientCount: 3, sent: 2, blocked: 1 });
    expect(await owner.data('GET', `campaigns/${first.campaignId}`)).toEqual(items[1]);
    const page = await owner.data('GET', 'campaigns?take=1');
    const next = await owner.data('GET', `campaigns?take=1&cursor=${page.nextCursor}`);
    expect([...page.items, ...next.items]).toEqual(items);
    expect(next.nextCursor).toBeNull();
  });

  it('shows the progress of a campaign, also of one that was interrupted', async () => {
    const { opened, open } = gate();
    const answer = botApi.held(opened, botApi.result({ message_id: 1 }));
    server.always('sendMessage', ({ body }) => (body.chat_id === '2' ? answer : undefined));
    const sending = send();
    await eventually('the second is being sent', () => server.callsOf('sendMessage').length >= 2);
    const [{ id, ...campaign }] = (await owner.data('GET', 'campaigns')).items;
    expect(campaign).toMatchObject({
      status: 'sending',
      recipientCount: 4,
      sent: 1,
      pending: 3,
      finishedAt: null,
    });
    open();
    await sending;
    expect(await owner.data('GET', `campaigns/${id}`)).toMatchObject({
      status: 'finished',
      sent: 4,
      pending: 0,
    });
    // As a process that died leaves it.
    await app.query(
      `update campaigns set status = 'sending', finished_at = null, lease_until = now() where store_id = $1`,
      [store.id],
    );
    expect(await owner.data('GET', `campaigns/${id}`)).toMatchObject({
      status: 'interrupted',
      finishedAt: null,
    });
  });

  it('lists the customers who have not received the message, and the reasons', async () => {
    refuse(['2', '4']);
    const { campaignId } = await send();
    const { items } = await owner.data('GET', `campaigns/${campaignId}/failures`);
    expect(items).toEqual(
      ['2', '4'].map((id) => ({
        customerId: id,
        reason: 'blocked',
        customerName: `Name ${id}`,
        username: `user${id}`,
        detail: expect.stringContaining('blocked by the user'),
      })),
    );
    const first = await owner.data('GET', `campaigns/${campaignId}/failures?take=1`);
    const second = await owner.data(
      'GET',
      `campaigns/${campaignId}/failures?take=1&cursor=${first.nextCursor}`,
    );
    expect([...first.items, ...second.items]).toEqual(items);
    expect(second.nextCursor).toBeNull();
    const bad = await owner.send('GET', `campaigns/${campaignId}/failures?cursor=x`);
    expect(bad).toMatchObject(refusal(400, 'invalid_input'));
    expect(bad.body.error!.message).toMatch(/^cursor /);
  });

  it("sends a test of the message to the member's own chat and to nobody else", async () => {
    const message = { text: 'Sale!', buttonText: 'Open', buttonUrl: 'https://shop.example/' };
    const test = (page = owner) => page.send('POST', 'campaigns/test', message);
    expect(await test()).toMatchObject(refusal(404, 'not_found'));
    const bot = await BotWebhook.connect(store, server);
    const { link } = await owner.data('POST', 'notices/chat', { language: 'en' });
    await bot.message('77', { text: `/start ${new URL(link).searchParams.get('start')}` });
    await eventually('the chat is linked', async () => {
      return (await owner.data('GET', 'notices')).chat.state === 'on';
    });
    expect((await test()).body.data).toEqual({ sent: true, error: null });
    // The bot may be answering the /start too.
    const sent = server
      .callsOf('sendMessage')
      .map(({ body }) => body)
      .filter(({ text }) => text === message.text);
    expect(sent).toMatchObject([{ chat_id: '77', text: 'Sale!' }]);
    expect(JSON.stringify(sent)).toContain('https://shop.example/');
    expect((await owner.data('GET', 'campaigns')).items).toEqual([]);
    refuse(['77']);
    expect((await test()).body.data).toEqual({ sent: false, error: expect.stringContaining('blocked') });
    const staff = await StorePage.ofStaff(store, owner);
    expect(await test(staff)).toMatchObject(refusal(404, 'not_found'));
    expect((await owner.data('GET', 'audit?operation=campaign.test')).items).toHaveLength(2);
  });

  it("shows only the store's own campaigns, also to staff", async () => {
    const { campaignId } = await send();
    const other = await StorePage.ofOwner(await app.store());
    expect((await other.data('GET', 'campaigns')).items).toEqual([]);
    for (const id of [campaignId, uuidv7(), 'x']) {
      for (const path of [`campaigns/${id}`, `campaigns/${id}/failures`]) {
        expect(await other.send('GET', path)).toMatchObject(refusal(404, 'not_found'));
      }
    }
    const staff = await StorePage.ofStaff(store, owner);
    expect((await staff.data('GET', `campaigns/${campaignId}`)).sent).toBe(4);
  });
});
