import { useState } from 'react';
import { useChange, type Versioned } from '../../api/change';
import type { CallName, InputOf, OutputOf } from '../../api/client';
import { notifyUnchanged } from '../../notify';
import { ConflictDialog } from './conflict';
import type { FieldTexts } from './differences';

interface Options<Name extends CallName, Stored extends Versioned, Values extends object> {
  /** The record; undefined for a new one. A newer one is taken as long as nothing is typed. */
  record: Stored | undefined;
  /** The values that the form edits. */
  pick: (record: Stored | undefined) => Values;
  /** The values to send: of a record only those that differ. */
  changedOf: (values: Values, record: Stored | undefined) => object;
  /** What is sent beside them. */
  fixed: object;
  /** Whether the service compares the version that was shown. */
  hasVersion: boolean;
  reread?: () => Promise<Stored>;
  /** How a conflict names the fields. */
  texts?: FieldTexts;
  done?: string;
  onDone: (data: OutputOf<Name>, take: (fresh: Stored) => void) => void;
}

/** The values of a form that edits a record, and how to save them. A change by somebody else is not lost. */
export function useEdited<Name extends CallName, Stored extends Versioned, Values extends object>(
  name: Name,
  { record, pick, changedOf, fixed, hasVersion, reread, texts, done, onDone }: Options<Name, Stored, Values>,
) {
  // The version that is shown. A later read must not change it while somebody types.
  const [shown, setShown] = useState(record);
  const [values, setValues] = useState(() => pick(record));
  const changed = changedOf(values, shown);
  const take = (fresh: Stored) => {
    setShown(fresh);
    setValues(pick(fresh));
  };
  const isDirty = Object.keys(changed).length > 0;
  if (record && !isDirty && isNewer(record, shown)) take(record);
  const change = useChange<Name, Stored>(name, {
    ...{ done, reread, refusals: 'form' },
    onDone: (data) => onDone(data, take),
  });
  const { theirs, dropTheirs } = change;
  const save = (version = shown?.updatedAt) => {
    if (shown && !isDirty) return notifyUnchanged();
    void change.make({ ...changed, ...fixed } as InputOf<Name>, {
      ifMatch: (hasVersion && version) || undefined,
    });
  };
  const conflict = theirs && (
    <ConflictDialog
      yours={changed as Record<string, unknown>}
      theirs={theirs as Record<string, unknown>}
      texts={texts}
      onKeepMine={() => {
        setShown(theirs);
        save(theirs.updatedAt);
      }}
      onTakeTheirs={() => {
        take(theirs);
        dropTheirs();
      }}
    />
  );
  return { shown, values, setValues, isDirty, change, save, conflict };
}

const isNewer = (record: Versioned, shown: Versioned | undefined) =>
  (record.updatedAt ?? '') > (shown?.updatedAt ?? '');
