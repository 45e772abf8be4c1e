/** What the service refused, or that it could not be reached. */
export class Refusal extends Error {
  constructor(
    /** The service's error code; `unreachable` when there was no answer. */
    readonly code: string,
    message: string,
    /** What support asks for. */
    readonly requestId: string | null = null,
    /** Seconds until the same call may be made again. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }

  /** Each bad field by its path: the service writes `items[0].price must be …; title is required`. */
  get fields(): Record<string, string> {
    if (this.code !== 'invalid_input') return {};
    const parts = this.message.split('; ').map((part) => /^([\w.[\]]+) (.+)$/s.exec(part));
    return Object.fromEntries(parts.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
  }
}
