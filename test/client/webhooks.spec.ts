import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { InvalidWebhook, verifyWebhook } from '../../packages/client/src/webhooks.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { ownDatabase } from '../support/database/own-database.js';
import { Receiver, type Received } from '../support/servers/receiver.js';
import { type TestStore, useShop } from '../support/test-app.js';

/** Around each snippet of docs/partners.md: reads a body, its signature and a secret, prints the verdict. */
const PROGRAMS: Record<string, { run: string[]; version: string; around: (snippet: string) => string }> = {
  js: {
    run: [process.execPath],
    version: '--version',
    around: (snippet) =>
      `${snippet}\nimport { readFileSync } from 'node:fs';
       const [file, signature, secret] = process.argv.slice(2);
       console.log(isGenuine(readFileSync(file), signature, secret));`,
  },
  php: {
    run: ['php'],
    version: '--version',
    around: (snippet) =>
      `<?php [, $file, $_SERVER['HTTP_X_SHOP_SIGNATURE'], $secret] = $argv;
       $rawBody = file_get_contents($file);
       ${snippet}
       echo $isGenuine ? 'true' : 'false';`,
  },
  go: {
    run: ['go', 'run'],
    version: 'version',
    around: (snippet) =>
      `package main
       import ("crypto/hmac"; "crypto/sha256"; "encoding/hex"; "fmt"; "net/http"; "os")
       func main() {
         rawBody, _ := os.ReadFile(os.Args[1])
         secret := os.Args[3]
         r := &http.Request{Header: http.Header{}}
         r.Header.Set("X-Shop-Signature", os.Args[2])
         ${snippet}
         fmt.Print(isGenuine)
       }`,
  },
};
const isInstalled = (language: string) => {
  const { run, version } = PROGRAMS[language];
  const isHere = spawnSync(run[0], [version]).status === 0;
  if (!isHere) console.warn(`${run[0]} is not installed: its snippet of docs/partners.md is not run`);
  return isHere;
};

describe('verifyWebhook', () => {
  let store: TestStore;
  let receiver: Receiver;
  let secret: string;
  let request: Received;
  let order: unknown;

  const app = useShop(async () => ({ database: await ownDatabase(), env: { SHOP_ROLES: 'web,deliver' } }));
  beforeAll(async () => {
    store = await app.store();
    receiver = await Receiver.start();
    secret = (await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url))).secret!;
    order = await store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });
    [request] = await receiver.waitFor(1);
  });
  afterAll(async () => {
    await receiver.stop();
  });

  it('returns the event of a genuine request, however its body and headers are held', async () => {
    const event = await verifyWebhook(request.body, request.headers, secret);
    expect(event).toMatchObject({
      event: 'order.created',
      id: request.headers['x-shop-delivery'],
      data: order,
    });
    const headers = new Headers(request.headers as Record<string, string>);
    const { buffer } = Uint8Array.from(request.body);
    expect(await verifyWebhook(request.body.toString(), headers, secret)).toEqual(event);
    expect(await verifyWebhook(buffer, headers, ['whsec_new', secret])).toEqual(event);
  });

  it('accepts either signature, and so that of the old secret while a rotation overlaps', async () => {
    const { body, headers } = request;
    const event = await verifyWebhook(body, { ...headers, 'webhook-signature': undefined }, secret);
    expect(await verifyWebhook(body, { ...headers, 'x-shop-signature': undefined }, secret)).toEqual(event);
    const endpoints = app.nest.get(WebhookEndpoints);
    const rotated = await store.inside((ctx) => endpoints.rotateSecret(ctx, { overlap: true }));
    await store.data('ship_order', { orderId: event.data.id, carrier: 'DHL' });
    const signedTwice = (await receiver.waitFor(2))[1];
    for (const one of [secret, rotated!.secret, ['whsec_another', secret]])
      expect(await verifyWebhook(signedTwice.body, signedTwice.headers, one)).toMatchObject({
        data: { status: 'SHIPPED' },
      });
    for (const changed of [
      { 'webhook-id': 'd' },
      { 'webhook-timestamp': '1' },
      { 'webhook-signature': 'v1,' },
    ])
      await expect(
        verifyWebhook(signedTwice.body, { ...signedTwice.headers, ...changed }, secret),
      ).rejects.toThrow('is not the signature');
  });

  it('refuses a changed, wrongly signed or unsigned request', async () => {
    const { body } = request;
    const headers = { ...request.headers, 'webhook-signature': undefined };
    const changed = Buffer.from(body.toString().replace('PENDING', 'SHIPPED'));
    expect(changed).not.toEqual(body);
    const wrong: [Buffer, Record<string, string | string[] | undefined>, string | string[]][] = [
      [changed, headers, secret],
      [body, headers, 'whsec_other'],
      [body, headers, []],
      [body, { ...headers, 'x-shop-signature': undefined }, secret],
      [body, { ...headers, 'x-shop-signature': 'x'.repeat(64) }, secret],
      [body, { ...headers, 'X-Shop-Signature': 'a'.repeat(64) }, secret],
      [body, { ...headers, 'x-shop-delivery': 'another' }, secret],
    ];
    for (const [raw, given, key] of wrong)
      await expect(verifyWebhook(raw, given, key)).rejects.toThrow(InvalidWebhook);
    for (const key of ['', [secret, '']])
      await expect(verifyWebhook(body, headers, key)).rejects.toThrow('secret must not be empty');
  });

  it.each(Object.keys(PROGRAMS).filter(isInstalled))(
    'takes what the snippet in %s takes, and refuses what it refuses',
    async (language) => {
      const partners = readFileSync(path.resolve(__dirname, '../../docs/partners.md'), 'utf8');
      const [, text] = partners.split('\n## Webhooks\n');
      const [, snippet] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)!;
      const folder = mkdtempSync(path.join(tmpdir(), 'snippet-'));
      const { run, around } = PROGRAMS[language];
      const program = path.join(folder, `program.${language === 'js' ? 'mjs' : language}`);
      writeFileSync(program, around(snippet));
      const verdict = async (body: Buffer, key: string) => {
        const file = path.join(folder, 'body');
        writeFileSync(file, body);
        const [command, ...options] = [...run, program];
        const given = [file, String(request.headers['x-shop-signature']), key];
        return (await promisify(execFile)(command, [...options, ...given])).stdout.trim();
      };
      const changed = Buffer.from(request.body.toString().replace('PENDING', 'SHIPPED'));
      expect([
        await verdict(request.body, secret),
        await verdict(changed, secret),
        await verdict(request.body, 'whsec_another'),
      ]).toEqual(['true', 'false', 'false']);
      rmSync(folder, { recursive: true });
    },
  );
});
