import { inspect } from 'node:util';
import { collectGarbage } from '../../test/support/collect-garbage.js';
import { eventually } from '../../test/support/eventually.js';
import { type BotApiAnswer, BotApiServer, botApi } from '../../test/support/servers/bot-api-server.js';
import { GrammyMessenger } from './grammy-messenger.js';
import { MessengerUnavailable, type OutgoingMessage, TokenRefused } from './messenger.js';

const SECRET_PART = 'AAH-test_0123456789abcdefghijklmnopq';
const TOKEN = `1234567890:${SECRET_PART}`;
const USER = '9007199254740993123'; // far over 2^53
const PROMPT = { timeoutMs: 5000 };

/** Everything in an error or outcome that a log line, a debugger or a stored row could show. */
const everythingOf = (value: unknown) =>
  [
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error && value.stack,
  ].join('\n');

const expectNoToken = (value: unknown) => {
  const shown = everythingOf(value);
  expect(shown).not.toContain(SECRET_PART);
  expect(shown).not.toContain(encodeURIComponent(TOKEN));
};

const millisecondsOf = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
};

const rejectionOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('should have been rejected')),
    (error: Error) => error,
  );

let server: BotApiServer;
let messenger: GrammyMessenger;

beforeAll(async () => {
  server = await BotApiServer.start();
  messenger = new GrammyMessenger(server.apiRoot);
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const send = (message: Partial<OutgoingMessage> = {}, deadline = PROMPT) =>
  messenger.sendMessage(TOKEN, USER, { text: 'Hello', ...message }, deadline);

describe('identify', () => {
  it('identifies the bot of a token', async () => {
    expect(await messenger.identify(TOKEN)).toEqual({
      botId: '1234567890',
      username: 'shop_1234567890_bot',
      hasMainApp: false,
    });
    expect(server.calls).toMatchObject([{ token: TOKEN, method: 'getMe' }]);
  });

  it.each([
    ['a revoked token', botApi.unauthorized()],
    ['a token that never existed', botApi.unknownToken()],
  ])('throws TokenRefused for %s, asking once', async (_, answer) => {
    server.always('getMe', answer);
    const error = await rejectionOf(messenger.identify(TOKEN));
    expect(error).toBeInstanceOf(TokenRefused);
    expect(server.calls).toHaveLength(1);
    expectNoToken(error);
  });

  it.each([
    ['a bot without a name', botApi.result({ id: 1 })],
    ['an id that lost digits', botApi.result({ id: 2 ** 60, username: 'shop_bot' })],
    ['nothing', botApi.result(null)],
  ])('throws MessengerUnavailable when it is told %s', async (_, answer) => {
    server.always('getMe', answer);
    expect(await rejectionOf(messenger.identify(TOKEN))).toBeInstanceOf(MessengerUnavailable);
  });

  it('takes an API root with a trailing slash', async () => {
    expect(await new GrammyMessenger(`${server.apiRoot}/`).identify(TOKEN)).toMatchObject({
      botId: '1234567890',
    });
  });
});

describe('createInvoiceLink', () => {
  const request = {
    title: 'Order 7',
    description: '1 × Cap',
    payload: '7',
    providerToken: '1:TEST:secret',
    currency: 'USD',
    prices: [{ label: 'Cap', amount: 1250 }],
    maxTipAmount: 0,
    suggestedTipAmounts: [],
    needName: false,
    needPhoneNumber: false,
    needEmail: false,
    needShippingAddress: false,
    isFlexible: false,
  };

  it('returns the address of the invoice, and asks again when it is not answered', async () => {
    server.next('createInvoiceLink', botApi.serverError());
    expect(await messenger.createInvoiceLink(TOKEN, request)).toMatch(/^https:/);
    expect(server.callsOf('createInvoiceLink')).toHaveLength(2);
  });

  it('reports why it was refused, without the provider token', async () => {
    server.next('createInvoiceLink', botApi.error(400, 'Bad Request: 1:TEST:secret is not a token'));
    const error = await messenger.createInvoiceLink(TOKEN, request).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(MessengerUnavailable);
    expect((error as Error).message).toContain('is not a token');
    expect((error as Error).message).not.toContain('secret');
  });

  it('does not accept an answer that is not an address', async () => {
    server.next('createInvoiceLink', botApi.result({ url: 'x' }));
    await expect(messenger.createInvoiceLink(TOKEN, request)).rejects.toBeInstanceOf(MessengerUnavailable);
  });
});

describe('setWebhook', () => {
  it('registers the address, the proof and the updates a shop needs', async () => {
    await messenger.setWebhook(TOKEN, 'https://shop.example/messenger/1', 'proof_1');
    expect(server.calls[0].body).toEqual({
      url: 'https://shop.example/messenger/1',
      secret_token: 'proof_1',
      allowed_updates: [
        'message',
        'my_chat_member',
        'shipping_query',
        'pre_checkout_query',
        'callback_query',
      ],
    });
  });

  it('shows the messenger’s reason, never the proof', async () => {
    server.always(
      'setWebhook',
      botApi.error(400, 'Bad Request: bad webhook (proof_1): HTTPS url must be provided'),
    );
    const error = await rejectionOf(messenger.setWebhook(TOKEN, 'http://shop.example', 'proof_1'));
    expect(error).toBeInstanceOf(MessengerUnavailable);
    expect(error.message).toContain('HTTPS url must be provided');
    expect(everythingOf(error)).not.toContain('proof_1');
    expectNoToken(error);
  });
});

describe('answerPreCheckout', () => {
  it('accepts a pre-checkout query', async () => {
    await messenger.answerPreCheckout(TOKEN, 'q1', { ok: true });
    expect(server.calls[0]).toMatchObject({
      method: 'answerPreCheckoutQuery',
      body: { pre_checkout_query_id: 'q1', ok: true },
    });
    expect(server.calls[0].body).not.toHaveProperty('error_message');
  });

  it('refuses with a reason for the shopper', async () => {
    await messenger.answerPreCheckout(TOKEN, 'q1', { ok: false, message: 'Sold out' });
    expect(server.calls[0].body).toEqual({
      pre_checkout_query_id: 'q1',
      ok: false,
      error_message: 'Sold out',
    });
  });
});

describe('calls that may be repeated', () => {
  const unanswered: [string, BotApiAnswer][] = [
    ['a 5xx', botApi.serverError()],
    ['a dropped connection', botApi.dropped()],
    ['an answer cut short', botApi.cutShort()],
    ['an error page', botApi.raw(502, '<html>Bad Gateway</html>')],
    ['JSON that is not an answer', botApi.raw(200, 'null')],
  ];

  it.each(unanswered)('are repeated once after %s', async (_, answer) => {
    server.next('getMe', answer);
    expect(await messenger.identify(TOKEN)).toMatchObject({ botId: '1234567890' });
    expect(server.calls).toHaveLength(2);
  });

  it.each(unanswered)('are given up after %s twice', async (_, answer) => {
    server.always('answerPreCheckoutQuery', answer);
    const error = await rejectionOf(messenger.answerPreCheckout(TOKEN, 'q1', { ok: true }));
    expect(error).toBeInstanceOf(MessengerUnavailable);
    expect(server.calls).toHaveLength(2);
    expectNoToken(error);
  });

  it('report a refused connection', async () => {
    const gone = await BotApiServer.start();
    const apiRoot = gone.apiRoot;
    await gone.close();
    const error = await rejectionOf(new GrammyMessenger(apiRoot).identify(TOKEN));
    expect(error).toBeInstanceOf(MessengerUnavailable);
    expect(error.message).toContain('ECONNREFUSED');
    expectNoToken(error);
  });

  it('follow no redirect, which would carry the token elsewhere', async () => {
    const elsewhere = await BotApiServer.start();
    server.always('getMe', botApi.raw(307, '', { location: `${elsewhere.apiRoot}/bot${TOKEN}/getMe` }));
    const error = await messenger.identify(TOKEN).catch((thrown: unknown) => thrown);
    await elsewhere.close();
    expect(error).toBeInstanceOf(MessengerUnavailable);
    expect(elsewhere.calls).toEqual([]);
    expectNoToken(error);
  });

  it('end at their own limit when the messenger hangs', async () => {
    server.always('answerPreCheckoutQuery', botApi.hanging());
    const [error, ms] = await millisecondsOf(
      rejectionOf(messenger.answerPreCheckout(TOKEN, 'q1', { ok: true })),
    );
    expect(error).toBeInstanceOf(MessengerUnavailable);
    expect(ms).toBeLessThan(15_000);
  });
});

describe('send', () => {
  it('sends plain text to the exact id', async () => {
    server.always('sendMessage', botApi.result({ message_id: 41 }));
    expect(await send({ text: '<b>*not* markup_' })).toEqual({ sent: true, messageId: 41 });
    expect(server.calls[0].rawBody).toContain(`"${USER}"`);
    expect(server.calls[0].body).toEqual({ chat_id: USER, text: '<b>*not* markup_' });
  });

  it('sends a text with a button', async () => {
    await send({ button: { text: 'Track Order', url: 'https://carrier.example/1' } });
    expect(server.calls[0].body.reply_markup).toEqual({
      inline_keyboard: [[{ text: 'Track Order', url: 'https://carrier.example/1' }]],
    });
  });

  it('sends an image with the text as its caption and the button, as one message', async () => {
    const text = 'x'.repeat(1024);
    await send({
      text,
      imageUrl: 'https://shop.example/a.jpg',
      button: { text: 'Open', url: 'https://shop.example' },
    });
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]).toMatchObject({
      method: 'sendPhoto',
      body: { chat_id: USER, photo: 'https://shop.example/a.jpg', caption: text },
    });
    expect(server.calls[0].body.reply_markup.inline_keyboard[0][0]).toEqual({
      text: 'Open',
      url: 'https://shop.example',
    });
    expect(server.calls[0].body).not.toHaveProperty('parse_mode');
  });

  it.each([
    ['1025 letters', 'x'.repeat(1025)],
    ['513 characters of two units each', '😀'.repeat(513)],
  ])('sends an image with %s as a message that previews the image', async (_, text) => {
    expect(await send({ text, imageUrl: 'https://shop.example/a.jpg' })).toMatchObject({ sent: true });
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]).toMatchObject({
      method: 'sendMessage',
      body: { text, link_preview_options: { url: 'https://shop.example/a.jpg', show_above_text: true } },
    });
  });

  it('lets the messenger refuse a text that is too long', async () => {
    const outcome = await send({ text: 'x'.repeat(4097) });
    expect(outcome).toMatchObject({ sent: false, reason: 'send_failed', blocked: false });
    expect(outcome).toHaveProperty('detail', expect.stringContaining('message is too long'));
  });

  it('counts a message as sent if the messenger answers only ok', async () => {
    server.always('sendMessage', botApi.result(true));
    expect(await send()).toEqual({ sent: true, messageId: null });
  });

  it.each<[string, BotApiAnswer, 'unreachable' | 'send_failed', boolean]>([
    ['a blocked bot', botApi.blocked(), 'unreachable', true],
    [
      'a blocked bot, in the old words',
      botApi.error(400, 'Bad Request: USER_IS_BLOCKED'),
      'unreachable',
      true,
    ],
    ['a deactivated user', botApi.deactivated(), 'unreachable', false],
    [
      'a user who never wrote',
      botApi.error(403, "Forbidden: bot can't initiate conversation with a user"),
      'unreachable',
      false,
    ],
    ['an unknown chat', botApi.chatNotFound(), 'unreachable', false],
    ['an invalid peer', botApi.error(400, 'Bad Request: PEER_ID_INVALID'), 'unreachable', false],
    [
      'an image it cannot load',
      botApi.error(400, 'Bad Request: failed to get HTTP URL content'),
      'send_failed',
      false,
    ],
    ['a revoked token', botApi.unauthorized(), 'send_failed', false],
    ['an unknown token', botApi.unknownToken(), 'send_failed', false],
    ['a 5xx', botApi.serverError(), 'send_failed', false],
    ['a dropped connection', botApi.dropped(), 'send_failed', false],
    ['an answer cut short', botApi.cutShort(), 'send_failed', false],
    ['an error page', botApi.raw(502, '<html>Bad Gateway</html>'), 'send_failed', false],
    ['garbage', botApi.raw(200, '{"ok":tr'), 'send_failed', false],
    ['JSON that is not an answer', botApi.raw(200, '[]'), 'send_failed', false],
    [
      'a server that echoes the address',
      botApi.error(400, `no such path /bot${TOKEN}/x`),
      'send_failed',
      false,
    ],
    [
      'one that echoes it encoded',
      botApi.error(403, `/bot${encodeURIComponent(TOKEN)}`),
      'unreachable',
      false,
    ],
    ['one that echoes the secret part', botApi.error(500, `key ${SECRET_PART}`), 'send_failed', false],
  ])(
    'after %s reports why, does not send again, and does not show the token',
    async (_, answer, reason, blocked) => {
      server.always('sendMessage', answer);
      const outcome = await send();
      expect(outcome).toEqual({ sent: false, reason, blocked, detail: expect.stringMatching(/.+/) });
      expect(server.calls).toHaveLength(1);
      expectNoToken(outcome);
    },
  );

  it('waits as long and as often as the messenger asks, if there is time', async () => {
    server.next('sendMessage', botApi.tooManyRequests(1), botApi.tooManyRequests(1));
    const [outcome, ms] = await millisecondsOf(send({}, { timeoutMs: 20_000 }));
    expect(outcome).toMatchObject({ sent: true });
    expect(server.calls).toHaveLength(3);
    expect(ms).toBeGreaterThan(1900);
  });

  it('reports a pause that does not fit at once', async () => {
    server.always('sendMessage', botApi.tooManyRequests(30));
    const [outcome, ms] = await millisecondsOf(send({}, { timeoutMs: 20_000 }));
    expect(outcome).toMatchObject({
      sent: false,
      reason: 'send_failed',
      blocked: false,
      retryAfterSeconds: 30,
    });
    expect(ms).toBeLessThan(15_000);
    expect(server.calls).toHaveLength(1);
  });

  it.each([0, -5, 'soon', undefined])('treats a retry_after of %s as one second', async (retry_after) => {
    server.next('sendMessage', botApi.error(429, 'Too Many Requests', { retry_after }));
    const [outcome, ms] = await millisecondsOf(send({}, { timeoutMs: 20_000 }));
    expect(outcome).toMatchObject({ sent: true });
    expect(ms).toBeGreaterThan(900);
    expect(server.calls).toHaveLength(2);
  });

  it.each<[string, BotApiAnswer]>([
    ['never answers', botApi.hanging()],
    ['stops after the headers', botApi.hanging({ headersSent: true })],
    ['answers too late', botApi.slow(20_000, botApi.result({ message_id: 1 }))],
  ])('ends at the deadline when the messenger %s', async (_, answer) => {
    server.always('sendMessage', answer);
    const sending = millisecondsOf(send({}, { timeoutMs: 2_000 }));
    await eventually('the messenger has the call', () => server.calls.length > 0);
    collectGarbage();
    const [outcome, ms] = await sending;
    expect(outcome).toMatchObject({
      sent: false,
      reason: 'send_failed',
      detail: expect.stringContaining('2000 ms'),
    });
    // Timers are not exact. The call waited, but not for the answer.
    expect(ms).toBeGreaterThan(1_900);
    expect(ms).toBeLessThan(15_000);
    expect(server.calls).toHaveLength(1);
  });

  it('spends one deadline on all attempts together', async () => {
    server.next('sendMessage', botApi.tooManyRequests(4), botApi.hanging());
    const [outcome, ms] = await millisecondsOf(send({}, { timeoutMs: 7_000 }));
    expect(outcome).toMatchObject({ sent: false, reason: 'send_failed' });
    // A deadline of its own for each attempt would take 11 s.
    expect(ms).toBeLessThan(10_500);
    expect(server.calls).toHaveLength(2);
  });

  it.each([0, -20])('sends nothing when %i ms are left', async (timeoutMs) => {
    expect(await send({}, { timeoutMs })).toMatchObject({ sent: false, reason: 'send_failed' });
    expect(server.calls).toEqual([]);
  });

  it('waits patiently for a slow messenger within the deadline', async () => {
    server.always('sendMessage', botApi.slow(300, botApi.result({ message_id: 5 })));
    expect(await send({}, { timeoutMs: 10_000.5 })).toEqual({ sent: true, messageId: 5 });
  });
});

it('counts how calls end: a refusal of the token, but not while it is tried out or given up', async () => {
  const counting = new GrammyMessenger(server.apiRoot);
  const once = (answer: BotApiAnswer) => {
    server.next('sendMessage', answer);
    return counting.sendMessage(TOKEN, USER, { text: 'Hello' }, PROMPT);
  };
  await once(botApi.result({ message_id: 1 }));
  for (const answer of [botApi.blocked(), botApi.deactivated(), botApi.chatNotFound()]) await once(answer);
  await once(botApi.tooManyRequests(30));
  for (const answer of [botApi.serverError(), botApi.dropped()]) await once(answer);
  for (const answer of [botApi.unauthorized(), botApi.unknownToken()]) await once(answer);
  await counting.sendMessage(TOKEN, USER, { text: 'Too late' }, { timeoutMs: 0 });
  server.refuseToken(TOKEN);
  await rejectionOf(counting.identify(TOKEN));
  server.always('deleteWebhook', botApi.unauthorized());
  await rejectionOf(counting.deleteWebhook(TOKEN));
  expect(counting.outcomes).toEqual({ ok: 1, refused: 5, slow_down: 1, token_refused: 2, unanswered: 2 });
});
