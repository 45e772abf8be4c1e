import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import type { Call } from '../../platform/store/call.js';
import { type DemoStorePlace, readDemoStore } from '../../platform/config/demo-store.js';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
/** A proxy, or a tunnel, passes on what others asked. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * The shop of the demo store in a plain browser, as one of its shoppers: what a newcomer sees first. The init
 * data is signed by a key of this process in place of a bot's token, and accepted only where it is made: in
 * development, on the embedded database, from this machine and for a name of it. The name keeps out pages of
 * strangers whose host leads here.
 */
@Injectable()
export class DemoShopper {
  private readonly key = randomBytes(32).toString('base64url');
  private readonly isPossible: boolean;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {
    const { nodeEnv, databaseUrl, baseUrl } = config;
    this.isPossible =
      nodeEnv !== 'production' && databaseUrl === null && LOOPBACK_HOST.test(new URL(baseUrl).host);
  }

  /** What stands for the bot's token if the request may come from the demo shopper; null otherwise. */
  tokenFor(storeId: string, request: Pick<Request, 'headers' | 'socket'>): string | null {
    return this.placeFor(storeId, request) ? this.key : null;
  }

  /** Whether the store's shop opens in the caller's browser. */
  isServed(storeId: string, { headers, address }: Pick<Call, 'headers' | 'address'>): boolean {
    return this.placeFor(storeId, { headers, socket: { remoteAddress: address } }) !== null;
  }

  /** Fresh init data of the demo shopper; null where there is none. */
  initData(storeId: string, request: Pick<Request, 'headers' | 'socket'>): string | null {
    const place = this.placeFor(storeId, request);
    if (!place) return null;
    const { id, firstName, username } = place.shopper;
    // The id may be beyond what a JSON number of JavaScript holds.
    const names = JSON.stringify({ first_name: firstName, ...(username !== null && { username }) }).slice(1);
    const values = {
      auth_date: String(Math.floor(this.clock.now().getTime() / 1000)),
      user: `{"id":${id},${names}`,
    };
    const text = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    const secret = createHmac('sha256', 'WebAppData').update(this.key).digest();
    const hash = createHmac('sha256', secret).update(text.sort().join('\n')).digest('hex');
    return new URLSearchParams({ ...values, hash }).toString();
  }

  private placeFor(
    storeId: string,
    { headers, socket }: { headers: IncomingHttpHeaders; socket: { remoteAddress?: string } },
  ): DemoStorePlace | null {
    if (!this.isPossible || !isFromHere(headers, socket.remoteAddress)) return null;
    const place = readDemoStore(this.config.dataDir);
    return place?.storeId === storeId ? place : null;
  }
}

const isFromHere = (headers: IncomingHttpHeaders, address: string | undefined) =>
  LOOPBACK_ADDRESS.test(address ?? '') &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  PASSED_ON.every((name) => headers[name] === undefined);
