import type { EndpointSpeed } from '../../src/webhooks/delivery/delivery-slots.js';
import type { Faults } from './simulated-process.js';
import type { Random } from '../../src/operator/demo/random.js';

/** The real schedule is data; a shorter one lets more happen in a run. */
export const SETTINGS = {
  delivers: true,
  timeoutMs: 10_000,
  retryDelaysSeconds: [1, 2, 5, 10, 20],
};

export type Mode = 'healthy' | 'slow' | 'hanging' | 'failing' | 'refusing' | 'flapping';

export interface Shop {
  storeId: string;
  mode: Mode;
  healsAt: number;
  /** What the database knows of it at the start. */
  pace: EndpointSpeed;
  /** When its rows are written, and how long their transactions take to commit. */
  changes: { at: number; takes: number }[];
  events: {
    at: number;
    what: 'rotate' | 'move' | 'pause' | 'resume' | 'remove';
  }[];
}

/** What a seed makes happen. */
export interface Plan {
  shops: Shop[];
  byId: Map<string, Shop>;
  processes: number;
  isFaultless: boolean;
  faults: Faults;
  doorbellLost: number;
  networkLost: number;
  kills: number;
  stops: number;
  freezes: number;
  /** Which of the claims falls together with a stop of its process; 0 for none. */
  stopAtClaim: number;
}

const CHANGES_MS = 25_000;
const MODES: Mode[] = ['healthy', 'healthy', 'healthy', 'slow', 'hanging', 'failing', 'refusing', 'flapping'];
const PACES: EndpointSpeed[] = ['unknown', 'prompt', 'slow', 'silent'];
/** So many seeds in a thousand have thousands of endpoints that hang. */
const STORMS = 4;

export function plan(random: Random): Plan {
  const isStorm = random.chance(STORMS / 1000);
  const isFaultless = isStorm || random.chance(0.3);
  const shops = isStorm
    ? storm(random)
    : Array.from({ length: random.integer(1, 16) }, (_, i) => shop(random, `shop ${i}`));
  const rate = (most: number) => (isFaultless || random.chance(0.4) ? 0 : random.next() * most);
  const count = (most: number) => (isFaultless || random.chance(0.5) ? 0 : random.integer(1, most));
  return {
    shops,
    byId: new Map(shops.map((each) => [each.storeId, each])),
    processes: random.integer(1, 3),
    isFaultless,
    faults: {
      crash: rate(0.01),
      databaseLost: rate(0.2),
      databaseLate: rate(0.05),
    },
    doorbellLost: isStorm ? 0 : random.pick([0, 0.1, 1]),
    networkLost: isStorm ? 0 : random.pick([0, 0.2]),
    kills: count(4),
    stops: isFaultless ? 0 : count(2),
    freezes: count(3),
    stopAtClaim: isFaultless ? 0 : count(20),
  };
}

function shop(random: Random, storeId: string): Shop {
  const mode = random.pick(MODES);
  const healsAt = random.chance(0.3) ? random.integer(1_000, CHANGES_MS) : Infinity;
  const hasBacklog = random.chance(0.02);
  const changes = Array.from({ length: hasBacklog ? 120 : random.integer(0, 8) }, () => ({
    at: hasBacklog || random.chance(0.3) ? 0 : random.integer(0, CHANGES_MS),
    takes: random.chance(0.05) ? random.integer(1, 8_000) : random.integer(0, 5),
  }));
  return {
    storeId,
    mode,
    healsAt,
    pace: random.pick(PACES),
    changes,
    events: random.chance(0.2) ? events(random) : [],
  };
}

function events(random: Random): Shop['events'] {
  const at = random.integer(0, CHANGES_MS);
  const what = random.pick(['rotate', 'move', 'pause', 'remove'] as const);
  return what === 'pause'
    ? [
        { at, what },
        { at: at + random.integer(1, 10_000), what: 'resume' as const },
      ]
    : [{ at, what }];
}

/**
 * Thousands of endpoints that hang with something due at the start, all known alike, and a few that answer.
 */
function storm(random: Random): Shop[] {
  const known = random.pick(PACES);
  const hanging = Array.from({ length: random.integer(2_000, 2_500) }, (_, i) => ({
    storeId: `hanging ${i}`,
    mode: 'hanging' as const,
    healsAt: Infinity,
    pace: known,
    changes: Array.from({ length: random.integer(1, 2) }, () => ({
      at: 0,
      takes: 0,
    })),
    events: [],
  }));
  const healthy = Array.from({ length: 5 }, (_, i) => ({
    storeId: `healthy ${i}`,
    mode: 'healthy' as const,
    healsAt: Infinity,
    pace: random.pick(['unknown', 'prompt'] as const),
    changes: Array.from({ length: 40 }, (_, n) => ({
      at: 200 + n * 300 + random.integer(0, 250),
      takes: 1,
    })),
    events: [],
  }));
  return [...hanging, ...healthy];
}
