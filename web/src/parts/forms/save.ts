import { useState } from 'react';
import { useRefresh } from '../../api/queries';
import { Refusal } from '../../api/refusal';

export type Versioned = object & { updatedAt?: string | null };

interface Options<Sent, Data, Stored extends Versioned> {
  /** @param version the `updatedAt` of the version that the person saw */
  send: (input: Sent, version: string | undefined) => Promise<Data>;
  /**
   * Reads the current record for the conflict dialog. Without it a conflict is shown like any other refusal.
   */
  reread?: () => Promise<Stored>;
  onDone: (data: Data) => void;
}

/**
 * Saves the values of a form. If somebody else has changed the record in the meantime, `theirs` is the record
 * as it is now.
 */
export function useSave<Sent, Data, Stored extends Versioned>({
  send,
  reread,
  onDone,
}: Options<Sent, Data, Stored>) {
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
