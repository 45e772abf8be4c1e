import type { UsedKey } from '../store/call.js';
import type { StoreContext } from '../store/store-context.js';
import type { CallRequest, Endpoint, Handler } from './endpoint.js';
import { isUsed } from './idempotency.js';

/** The methods of an endpoint, as functions. */
export function boundTo(controller: object, method: object, { before }: Endpoint) {
  const own = (found: unknown) => (found as Handler).bind(controller);
  const step = before === undefined ? null : (controller as Record<string, unknown>)[before];
  return { handler: own(method), before: step === null ? null : own(step) };
}

/** What an endpoint's `before` does for one call: once, however often its transaction is tried. */
export class Outside {
  /** What it answered; undefined until then, and for a repeat of a key. */
  found: unknown;
  private hasLooked = false;

  constructor(
    private readonly before: Handler,
    private readonly request: CallRequest,
    private readonly keyOf: (ctx: StoreContext) => UsedKey | null,
  ) {}

  /**
   * A person who has to agree first is asked before everybody else; they may give the call its key.
   * @returns the request for what follows
   */
  async look(ctx: StoreContext): Promise<CallRequest> {
    const { call, admit } = this.request;
    if (this.hasLooked) return { call };
    let isRepeat = await this.isRepeat(ctx);
    if (admit) {
      await admit(ctx, isRepeat);
      isRepeat ||= await this.isRepeat(ctx);
    }
    if (!isRepeat)
      this.found = await this.before(ctx, call.input, call.auth.caller, () => this.isRepeat(ctx));
    this.hasLooked = true;
    return { call };
  }

  async end(): Promise<void> {
    await (this.found as { end?(): Promise<void> } | null | undefined)?.end?.();
  }

  private async isRepeat(ctx: StoreContext): Promise<boolean> {
    const key = this.keyOf(ctx);
    return key !== null && (await isUsed(ctx, key));
  }
}
