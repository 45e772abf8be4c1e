import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that came, as the browser that subscribed reads it. */
export interface PushedMessage {
  title: string;
  text: string;
  path: string;
  tag: string;
  headers: IncomingMessage['headers'];
}

/** What a browser gives: the keys that it made, and the address at its push service. */
export class Subscriber {
  private readonly ecdh = createECDH('prime256v1');
  private readonly secret = randomBytes(16);
  readonly messages: PushedMessage[] = [];
  /** How the push service answers; `null` is never. */
  status: number | null = 201;

  constructor(
    readonly endpoint: string,
    private readonly serverKey: () => string,
  ) {
    this.ecdh.generateKeys();
  }

  get subscription() {
    const [p256dh, auth] = [this.ecdh.getPublicKey('base64url'), this.secret.toString('base64url')];
    return { endpoint: this.endpoint, p256dh, auth };
  }

  /** Decrypts by RFC 8291, and verifies the sender's proof by RFC 8292. */
  receive(headers: IncomingMessage['headers'], body: Buffer): void {
    this.verifyProof(headers.authorization!);
    const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.ecdh.getPublicKey(), sender]);
    const hkdf = (key: Buffer, salted: Buffer, text: Buffer | string, length: number) =>
      Buffer.from(hkdfSync('sha256', key, salted, text, length));
    const shared = hkdf(this.ecdh.computeSecret(sender), this.secret, info, 32);
    const key = hkdf(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = hkdf(shared, salt, 'Content-Encoding: nonce\0', 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    if (plain.at(-1) !== 2) throw new Error('the record does not say that it is the last one');
    const message = JSON.parse(plain.subarray(0, -1).toString()) as Omit<PushedMessage, 'headers'>;
    this.messages.push({ ...message, headers });
  }

  private verifyProof(authorization: string): void {
    const [, head, claims, signature, key] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    if (key !== this.serverKey()) throw new Error('it is not signed with the key of the subscription');
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const proof = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const isGood = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      proof,
      Buffer.from(signature, 'base64url'),
    );
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      aud: string;
      exp: number;
      sub: string;
    };
    if (!isGood || aud !== new URL(this.endpoint).origin || !/^https:/.test(sub) || !Number.isInteger(exp))
      throw new Error('the proof of the sender does not hold');
  }
}

/** A push service on the loopback interface, and the browsers that have subscribed to it. */
export class PushService {
  private readonly subscribers = new Map<string, Subscriber>();
  /** The key that the shop's page gave the browsers. */
  serverKey = '';
  readonly problems: unknown[] = [];

  private constructor(private readonly http: Server) {
    http.on('request', (request, response) => void this.take(request, response));
  }

  static async start(): Promise<PushService> {
    const service = new PushService(createServer());
    service.http.listen(0, '127.0.0.1');
    await once(service.http, 'listening');
    return service;
  }

  subscribe(): Subscriber {
    const path = `/push/${randomBytes(8).toString('hex')}`;
    const endpoint = `http://127.0.0.1:${(this.http.address() as AddressInfo).port}${path}`;
    const subscriber = new Subscriber(endpoint, () => this.serverKey);
    this.subscribers.set(path, subscriber);
    return subscriber;
  }

  async close(): Promise<void> {
    this.http.closeAllConnections();
    this.http.close();
    await once(this.http, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const subscriber = this.subscribers.get(request.url!);
    try {
      subscriber?.receive(request.headers, Buffer.concat(chunks));
    } catch (error) {
      this.problems.push(error);
    }
    const status = subscriber ? subscriber.status : 404;
    if (status !== null) response.writeHead(status).end();
  }
}
