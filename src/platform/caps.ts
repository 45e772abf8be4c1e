import { Injectable } from '@nestjs/common';
import { OperationError } from './errors.js';
import type { Call } from './store/call.js';

/** For whom something is done; their shares are counted. */
interface Holder {
  storeId?: string;
  userId?: string;
}

/** How many of the present ones are of the same store and of the same person, and how many there are. */
interface Counts {
  ofStore: number;
  ofPerson: number;
  total: number;
}

interface Cap {
  /** The most at the same time, in this process. */
  total: number;
  perStore?: number;
  perPerson?: number;
  retrySeconds: number;
  refusal(counts: Counts): string;
}

const STREAMS_PER_PERSON = 20;

/** What the process does only so much of at the same time. */
const CAPS = {
  /** Pictures in memory. */
  uploads: { total: 8, retrySeconds: 5, refusal: () => 'Too many uploads at once' },
  exports: {
    total: 8,
    perStore: 2,
    retrySeconds: 15,
    refusal: ({ ofStore, total }) => `There are ${ofStore || total} exports under way`,
  },
  /** Live changes, over all pages that a person has open. */
  streams: {
    total: 2_000,
    perPerson: STREAMS_PER_PERSON,
    retrySeconds: 30,
    refusal: ({ ofPerson }) =>
      ofPerson >= STREAMS_PER_PERSON
        ? `You have ${STREAMS_PER_PERSON} streams open`
        : 'There are too many streams open',
  },
  /** Documents of other servers, in which OAuth clients describe themselves. */
  documents: { total: 8, retrySeconds: 1, refusal: () => 'Too many documents are being fetched' },
} satisfies Record<string, Cap>;

/** Counts what is under way. Every limit of that kind is in the table above, every refusal is made here. */
@Injectable()
export class Caps {
  private readonly held = new Map<string, Set<Holder>>();

  /**
   * @param call gets the header Retry-After of a refusal
   * @returns a function that gives the place back; it may be called again
   * @throws OperationError rate_limited
   */
  take(name: keyof typeof CAPS, holder: Holder, call?: Pick<Call, 'setHeader'>): () => void {
    const { total, perStore = total, perPerson = total, retrySeconds, refusal }: Cap = CAPS[name];
    const held = this.held.get(name) ?? new Set();
    this.held.set(name, held);
    const same = (key: keyof Holder) =>
      holder[key] === undefined ? 0 : [...held].filter((other) => other[key] === holder[key]).length;
    const counts = { ofStore: same('storeId'), ofPerson: same('userId'), total: held.size };
    if (held.size >= total || counts.ofStore >= perStore || counts.ofPerson >= perPerson) {
      call?.setHeader('Retry-After', String(retrySeconds));
      const message = `${refusal(counts)}; try again in ${retrySeconds} s`;
      throw new OperationError('rate_limited', message, retrySeconds);
    }
    const place = { ...holder };
    held.add(place);
    return () => void held.delete(place);
  }
}
