import type { ServerResponse } from 'node:http';

/**
 * What a handler returns whose answer is written bit by bit and is no JSON: its endpoint names the type in `stream`. The call's
 * transaction has ended by then.
 */
export class Streamed {
  /** @param write writes the body and ends the response; it never throws  @param headers its type and what else it needs */
  constructor(
    readonly write: (response: ServerResponse) => void,
    readonly headers: Record<string, string>,
    /** Called instead of `write` where only the head is wanted. */
    readonly abandon: () => void = () => undefined,
  ) {}
}
