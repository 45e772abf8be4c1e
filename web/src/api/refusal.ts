/** The error of a call that the service refused, or that could not reach the service. */
export class Refusal extends Error {
  constructor(
    /** The service's error code, or `unreachable` if there was no response. */
    readonly code: string,
    message: string,
    /** The request id, for which support asks. */
    readonly requestId: string | null = null,
    /** Seconds until the same call may be made again. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }

  /**
   * The errors of fields, by path. The service sends them as `items[0].price must be …; title is required`.
   */
  get fields(): Record<string, string> {
    if (this.code !== 'invalid_input') return {};
    const parts = this.message.split('; ').map((part) => /^([\w.[\]]+) (.+)$/s.exec(part));
    return Object.fromEntries(parts.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
  }
}
