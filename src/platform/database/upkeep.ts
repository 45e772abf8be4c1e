/** A process that is often started anew does it too. */
const FIRST_MS = 60_000;

/** Work that is done again and again while the process runs, `everyMs` after it was last done. */
export class Upkeep {
  private timer: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  /** @param work gives up between two steps once `stopped` @param onFailed it is tried again at the next time */
  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  get stopped(): boolean {
    return this.isStopped;
  }

  start(inMs = FIRST_MS): void {
    this.timer = setTimeout(() => {
      this.running = this.work()
        .catch(this.onFailed)
        .finally(() => this.isStopped || this.start(this.everyMs));
    }, inMs);
    this.timer.unref();
  }

  /** Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
