import { Webhook } from 'standardwebhooks';
import { newSecret, sign, verify, webhookHeaders } from './signature.js';

const body = Buffer.from('{"id":"d1","title":"Käse \\u0000"}');

describe('sign', () => {
  it('returns the HMAC-SHA256 of RFC 4231, test case 2', () => {
    expect(sign('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('keys with the whole secret, its prefix included', () => {
    expect(sign('whsec_abc', body)).not.toBe(sign('abc', body));
  });

  it('signs bytes, also those that are no text', () => {
    expect(sign('s', Buffer.from([0xff]))).not.toBe(sign('s', Buffer.from([0xfe])));
  });
});

describe('verify', () => {
  const secret = newSecret();
  const signature = sign(secret, body);

  it('accepts a signature made by sign', () => {
    expect(verify(secret, body, signature)).toBe(true);
  });

  it.each([
    ['another secret', newSecret(), body, signature],
    ['another body', secret, Buffer.concat([body, Buffer.from(' ')]), signature],
    ['upper case', secret, body, signature.toUpperCase()],
    ['a shortened signature', secret, body, signature.slice(0, -1)],
    ['a lengthened signature', secret, body, `${signature}0`],
    ['nothing', secret, body, ''],
    ['as many characters in more bytes', secret, body, 'é'.repeat(64)],
  ])('refuses %s', (_case, key, bytes, given) => {
    expect(verify(key, bytes, given)).toBe(false);
  });
});

describe('newSecret', () => {
  it('is whsec_ and 32 bytes of base64, never the same', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});

describe('webhookHeaders', () => {
  const at = new Date();
  const signed = { event: 'order.created', deliveryId: 'd1', secret: 'whsec_x', body, at };
  const verified = (secret: string, headers: Record<string, string>) =>
    new Webhook(secret).verify(body, headers);

  it('returns the five headers of the specification, and the id of the request where it is known', () => {
    const { 'X-Request-Id': requestId } = webhookHeaders({ ...signed, requestId: 'r1' });
    expect(requestId).toBe('r1');
    expect(webhookHeaders(signed)).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'Shop-Webhooks/1',
      'X-Shop-Event': 'order.created',
      'X-Shop-Delivery': 'd1',
      'X-Shop-Signature': sign('whsec_x', body),
    });
  });

  it('has the headers of Standard Webhooks, by which its library verifies', () => {
    const secret = newSecret();
    const headers = webhookHeaders({ ...signed, secret });
    expect(headers).toMatchObject({
      'webhook-id': 'd1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'X-Shop-Signature': sign(secret, body),
    });
    expect(verified(secret, headers)).toEqual(JSON.parse(body.toString()));
    expect(() => verified(newSecret(), headers)).toThrow('No matching signature found');
    const { 'webhook-signature': signature } = headers;
    const later = { ...headers, 'webhook-signature': signature, 'webhook-id': 'd2' };
    expect(() => verified(secret, later)).toThrow('No matching signature found');
  });

  it('is verified with either secret while the previous one signs too', () => {
    const [secret, previousSecret] = [newSecret(), newSecret()];
    const headers = webhookHeaders({ ...signed, secret, previousSecret });
    for (const one of [secret, previousSecret])
      expect(verified(one, headers)).toEqual(JSON.parse(body.toString()));
    expect(headers['X-Shop-Signature']).toBe(sign(secret, body));
  });

  it('signs that way only with secrets of its form', () => {
    const secret = newSecret();
    const old = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
    const headers = webhookHeaders({ ...signed, secret, previousSecret: old });
    expect(headers['webhook-signature'].split(' ')).toHaveLength(1);
    expect(Object.keys(webhookHeaders({ ...signed, secret: old }))).not.toContain('webhook-id');
  });
});
