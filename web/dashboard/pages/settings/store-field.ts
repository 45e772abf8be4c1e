import { useState } from 'react';
import { useReloadStores } from '../../api/reload-stores';
import { type Store, useStore } from '../../api/store';

/** A field of the store that a form of its own sets: what is chosen, and whether that is to be saved. */
export function useStoreField<Key extends 'accent' | 'language' | 'timeZone'>(key: Key) {
  const { [key]: stored } = useStore();
  const [value, choose] = useState(stored);
  // Until the stores have been read again, the open store has the one before.
  const [saved, noteSaved] = useState(stored);
  const reload = useReloadStores();
  return {
    ...{ stored, value, choose },
    isDirty: value !== stored && value !== saved,
    /** With what the service has saved. */
    onDone: ({ [key]: now }: Pick<Store, Key>) => {
      noteSaved(now);
      void reload({ [key]: now } as Partial<Store>);
    },
  };
}
