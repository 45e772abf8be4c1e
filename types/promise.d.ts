interface Promise<T> {
  /** The promise waits for what the callback returns. The language's own type leaves that out. */
  finally(callback: (() => void) | (() => PromiseLike<unknown>)): Promise<T>;
}
