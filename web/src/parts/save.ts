import { useState } from 'react';
import { useRefresh } from '../api/queries';
import { Refusal } from '../api/refusal';

export type Versioned = object & { updatedAt?: string | null };

interface Options<Sent, Data, Stored extends Versioned> {
  /** @param version the `updatedAt` that the person was looking at */
  send: (input: Sent, version: string | undefined) => Promise<Data>;
  /** The record as it is now, for the conflict dialog; without it a conflict is said like any refusal. */
  reread?: () => Promise<Stored>;
  onDone: (data: Data) => void;
}

/** Saves what a form holds. When somebody else has changed the record meanwhile, `theirs` is what is saved now. */
export function useSave<Sent, Data, Stored extends Versioned>({ send, reread, onDone }: Options<Sent, Data, Stored>) {
  const refresh = useRefresh();
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<Stored | null>(null);

  const save = async (input: Sent, version?: string | null) => {
    setBusy(true);
    setError(null);
    setTheirs(null);
    try {
      const data = await send(input, version ?? undefined);
      void refresh();
      onDone(data);
    } catch (caught) {
      const isConflict = caught instanceof Refusal && caught.code === 'precondition_failed';
      if (isConflict && reread) await reread().then(setTheirs, setError);
      else setError(caught as Error);
    } finally {
      setBusy(false);
    }
  };
  return { save, busy, error, theirs, dropTheirs: () => setTheirs(null) };
}
