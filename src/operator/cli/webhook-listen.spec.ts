import type { IncomingHttpHeaders } from 'node:http';
import { sign } from '../../webhooks/delivery/signature.js';
import { examine } from './webhook-listen.js';

const SECRET = 'whsec_a-secret';
const ENVELOPE = {
  id: 'd-1',
  event: 'order.created',
  createdAt: '2026-03-01T10:00:00.000Z',
  data: { id: 5, totalPrice: 100 },
};
const BODY = Buffer.from(JSON.stringify(ENVELOPE));
const HEADERS = {
  'x-shop-event': 'order.created',
  'x-shop-delivery': 'd-1',
  'x-shop-signature': sign(SECRET, BODY),
};

const reasonOf = (headers: IncomingHttpHeaders, body: Buffer = BODY, secret = SECRET) =>
  examine(secret, { ...HEADERS, ...headers }, body).reason;

describe('the webhook receiver', () => {
  it('reports a received event', () => {
    expect(examine(SECRET, HEADERS, BODY)).toEqual({
      at: expect.any(String),
      verified: true,
      event: 'order.created',
      delivery: 'd-1',
      body: ENVELOPE,
    });
  });

  it.each<[string, string | undefined, RegExp]>([
    ['is missing', undefined, /X-Shop-Signature is missing/],
    ['is not a signature', 'abc', /not 64 lowercase/],
    ['is written in capitals', HEADERS['x-shop-signature'].toUpperCase(), /not 64 lowercase/],
    ['has a prefix', `sha256=${HEADERS['x-shop-signature']}`, /not 64 lowercase/],
    ['is of another secret', sign('whsec_other', BODY), /^wrong secret/],
    ['is of the secret without its prefix', sign('a-secret', BODY), /^wrong secret: .* without whsec_/],
  ])('reports a signature that %s', (_, signature, reason) => {
    expect(reasonOf({ 'x-shop-signature': signature })).toMatch(reason);
  });

  it.each<[string, string, RegExp]>([
    ['was reformatted', JSON.stringify(ENVELOPE, null, 2), /^body altered: it was reformatted/],
    ['lost its end', BODY.toString().slice(0, -1), /^body altered: it is no JSON/],
    ['is empty', '', /^body altered: it is no JSON/],
    ['has another id', JSON.stringify({ ...ENVELOPE, id: 'd-2' }), /^body altered: its id/],
    [
      'has another event',
      JSON.stringify({ ...ENVELOPE, event: 'order.updated' }),
      /^body altered: its event/,
    ],
    [
      'has another value',
      JSON.stringify({ ...ENVELOPE, data: { id: 5, totalPrice: 1 } }),
      /value in the body altered/,
    ],
  ])('reports a body that %s', (_, body, reason) => {
    expect(reasonOf({}, Buffer.from(body))).toMatch(reason);
    expect(examine(SECRET, HEADERS, Buffer.from(body))).toMatchObject({ verified: false });
  });

  it('shows a body that is not JSON as text', () => {
    expect(examine(SECRET, HEADERS, Buffer.from('hello'))).toMatchObject({ body: 'hello', verified: false });
  });
});
