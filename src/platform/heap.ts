import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps the process small. V8 lets garbage pile up to a multiple of what lives before it collects in earnest, the more the more
 * memory the machine has; a service that answers and forgets gains nothing by that. From here on it collects at a third more than
 * what lives, which costs no throughput that could be measured (docs/performance.md). To be called once all is loaded: the new
 * pace counts from the next collection, so one is made here.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=30');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
