import { OperationError } from '../platform/errors.js';

/**
 * The work of a job, store by store. A store for which it fails is left out until the job's next run, so that
 * it keeps nothing from the others.
 */
export class StoreByStore {
  private readonly leftOut = new Set<string>();
  private failure: unknown = null;

  /** The stores for which the work has failed. */
  get left(): string[] {
    return [...this.leftOut];
  }

  async work(storeId: string, work: () => Promise<void>): Promise<void> {
    if (this.leftOut.has(storeId)) return;
    try {
      await work();
    } catch (error) {
      this.leftOut.add(storeId);
      // A store whose own calls have all of its share is no failure of the job.
      if (!isShareUsedUp(error)) this.failure ??= error;
    }
  }

  /** @throws the first failure, once every store has had its turn */
  end(): void {
    if (this.failure !== null) throw this.failure as Error;
  }
}

const isShareUsedUp = (error: unknown) => error instanceof OperationError && error.code === 'rate_limited';
