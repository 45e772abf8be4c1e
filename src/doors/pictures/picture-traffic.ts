import { Injectable } from '@nestjs/common';
import { OperationError } from '../../platform/errors.js';
import type { Call } from '../../platform/store/call.js';

/** How many bytes of pictures one address gets in a minute. */
const MOST_BYTES = 100_000_000;
const WINDOW_MS = 60_000;

/** What each address has been sent of pictures in the present minute, by this process. */
@Injectable()
export class PictureTraffic {
  private readonly sent = new Map<string, number>();
  private endsAt = 0;

  /** @throws OperationError rate_limited for an address that has had its share */
  spend(call: Pick<Call, 'address' | 'setHeader'>, bytes: number): void {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.sent.clear();
      this.endsAt = now + WINDOW_MS;
    }
    const sent = this.sent.get(call.address) ?? 0;
    if (sent + bytes > MOST_BYTES) throw this.refusal(call, this.endsAt - now);
    this.sent.set(call.address, sent + bytes);
  }

  private refusal(call: Pick<Call, 'setHeader'>, leftMs: number): OperationError {
    const seconds = Math.ceil(leftMs / 1000);
    call.setHeader('Retry-After', String(seconds));
    const had = `Your address was sent ${MOST_BYTES / 1_000_000} MB of pictures within a minute`;
    return new OperationError('rate_limited', `${had}; try again in ${seconds} s`, seconds);
  }
}
