import { useState } from 'react';
import { type Input, type OperationName, run } from '../api/client';
import { useRefresh } from '../api/queries';
import { Refusal } from '../api/refusal';
import { useStore } from '../api/store';
import { fieldInWords, inWords } from './failure';

export type Versioned = object & { updatedAt?: string | null };

interface Options<Stored extends Versioned> {
  /** The record as it is now, for the conflict dialog; without it a conflict is said like any refusal. */
  reread?: () => Promise<Stored>;
  onDone: (data: unknown) => void;
}

/**
 * Saves by an operation: what is refused can be asked for field by field, and when somebody else has changed the record meanwhile,
 * `theirs` is what is saved now.
 */
export function useSave<Name extends OperationName, Stored extends Versioned>(
  operation: Name,
  { reread, onDone }: Options<Stored>,
) {
  const { id: storeId } = useStore();
  const refresh = useRefresh();
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<Stored | null>(null);
  const fields = error instanceof Refusal ? error.fields : {};

  /** @param version the `updatedAt` that the person was looking at */
  const save = async (input: object, version?: string | null) => {
    setBusy(true);
    setError(null);
    setTheirs(null);
    try {
      const data = await run(storeId, operation, input as Input<Name>, { ifMatch: version ?? undefined });
      void refresh();
      onDone(data);
    } catch (caught) {
      if (caught instanceof Refusal && caught.code === 'precondition_failed' && reread) setTheirs(await reread());
      else setError(caught as Error);
    } finally {
      setBusy(false);
    }
  };

  /** The message of a field, or of the first thing inside it: `tags[2]`, `levels[0].minOrders`. */
  const errorOf = (name: string): string | undefined => {
    const path = Object.keys(fields).find((key) => key === name || key.startsWith(`${name}[`) || key.startsWith(`${name}.`));
    return path === undefined ? undefined : fieldInWords(fields[path]);
  };
  /** What was refused and stands beside none of these fields. */
  const looseError = (shown: string[]): string | null => {
    if (!error) return null;
    const found = shown.flatMap((name) => (errorOf(name) ? [name] : []));
    return found.length > 0 ? null : inWords(error);
  };
  return { save, busy, error, errorOf, looseError, theirs, dropTheirs: () => setTheirs(null) };
}
