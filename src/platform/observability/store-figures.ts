import { Counter, type Registry } from 'prom-client';

/** How many stores /metrics shows: those with the most calls and deliveries of this process. */
const SHOWN = 50;
/** Beyond this many stores, the least busy half is forgotten. */
const MOST = 20_000;

const FIGURES = {
  calls: 'Calls of the busiest stores, through any door',
  refusals: 'Calls of the busiest stores that were answered with 4xx',
  deliveries: 'Attempts to deliver a webhook of the busiest stores',
};
type Figure = keyof typeof FIGURES;
type Counts = Record<Figure, number>;

/** Counts what each store does. Only the busiest are shown, because each store is a series of its own. */
export class StoreFigures {
  private readonly counts = new Map<string, Counts>();

  constructor(registry: Registry) {
    for (const figure of Object.keys(FIGURES) as Figure[]) {
      const busiest = () => this.busiest();
      new Counter({
        name: `shop_store_${figure}_total`,
        help: FIGURES[figure],
        labelNames: ['store'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [store, counts] of busiest()) this.inc({ store }, counts[figure]);
        },
      });
    }
  }

  count(storeId: string, figure: Figure): void {
    let counts = this.counts.get(storeId);
    if (!counts) {
      if (this.counts.size >= MOST) this.forgetQuiet();
      this.counts.set(storeId, (counts = { calls: 0, refusals: 0, deliveries: 0 }));
    }
    counts[figure]++;
  }

  private busiest(most = SHOWN): [string, Counts][] {
    const activity = ([, { calls, deliveries }]: [string, Counts]) => calls + deliveries;
    return [...this.counts].sort((a, b) => activity(b) - activity(a)).slice(0, most);
  }

  private forgetQuiet(): void {
    const kept = this.busiest(MOST / 2);
    this.counts.clear();
    for (const [storeId, counts] of kept) this.counts.set(storeId, counts);
  }
}
