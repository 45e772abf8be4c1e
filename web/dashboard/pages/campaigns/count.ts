import { useState } from 'react';
import type { Sentence } from '../../../../src/platform/problems';
import { useSearch } from '../../address';
import { useChange, warningsOf } from '../../api/change';
import type { Input } from '../../api/client';
import { readAll } from '../../api/queries';
import { useStore } from '../../api/store';
import { segmentOf } from '../../parts/lists/segment';
import { audiencesOf } from './audiences';
import type { Part } from './draft';
import { type Message, sentOf } from './message';

const IDLE = { isPending: false, error: null };

/** Everything about the campaign but its message: to all shoppers, to those listed, or to those found. */
export type To = { kind: 'all' | 'chosen' | 'segment'; listed: string[] };

export interface Counted {
  estimatedSeconds: number;
  /** What the service warns of. */
  warnings: Sentence[];
  /** One call for each part of the audience. */
  parts: Part[];
  /** Whether it goes on with a campaign that was confirmed before. */
  isRest?: boolean;
}

/** Finds the audience, and counts without sending. Customers who were found go in several calls. */
export function useCount(onCounted: (counted: Counted) => void) {
  const store = useStore();
  const [search] = useSearch();
  const look = useChange('send_campaign', { refusals: 'form' });
  const [finding, setFinding] = useState<{ isPending: boolean; error: Error | null }>(IDLE);
  const idsOf = async () => {
    const { filters, unreadable } = segmentOf(search, store.currencyDecimals);
    if (unreadable !== null) throw new Error(unreadable);
    return (await readAll(store.id, 'find_customers', filters)).map(({ id }) => id);
  };
  const count = async (message: Message, { kind, listed }: To) => {
    setFinding({ isPending: true, error: null });
    try {
      const ids = kind === 'segment' ? await idsOf() : listed;
      const audiences = kind === 'all' ? [{ all: true }] : audiencesOf(ids);
      const inputs = audiences.map(
        (audience) => ({ ...sentOf(message), audience }) as Input<'send_campaign'>,
      );
      const sums = { estimatedSeconds: 0, warnings: [] as Sentence[], parts: [] as Part[] };
      for (const input of inputs) {
        const found = await look.make(input);
        if (!found) return;
        const { recipientCount } = found;
        sums.parts.push({ input, key: crypto.randomUUID(), recipientCount });
        sums.estimatedSeconds += found.estimatedSeconds ?? 0;
        sums.warnings.push(...warningsOf(found));
      }
      onCounted(sums);
    } catch (error) {
      setFinding({ isPending: false, error: error as Error });
    } finally {
      setFinding(({ error }) => ({ isPending: false, error }));
    }
  };
  const { isPending, error } = finding;
  return { look: { isPending: isPending || look.isPending, error: error ?? look.error }, count };
}
