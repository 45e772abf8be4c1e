import type { CallName, InputOf } from '../../api/client';
import { readAll } from '../../api/queries';
import { useStore } from '../../api/store';
import { notifyFailed } from '../../notify';
import { useKept } from './place';

const NONE: ReadonlySet<string> = new Set();

export interface Selection {
  selected: ReadonlySet<string>;
  select: (keys: Set<string>) => void;
  clear: () => void;
  /** Whether all rows that match the filters are chosen, also those that are not shown. */
  isAll: boolean;
  selectAll: () => Promise<void>;
}

/**
 * The chosen rows of a list. By hand those are chosen that are shown; `selectAll` also chooses those that are
 * not loaded. With other filters nothing is chosen; "back" finds them chosen again.
 */
export function useSelection<Name extends CallName>(
  name: Name,
  filters: InputOf<Name>,
  shown: { id: string | number }[],
): Selection {
  const store = useStore();
  const of = JSON.stringify(filters);
  const [chosen, setChosen] = useKept(`chosen of ${name}`, { of, keys: NONE, isAll: false });
  const isOurs = chosen.of === of;
  const here = new Set(shown.map(({ id }) => String(id)));
  const selected = !isOurs
    ? NONE
    : chosen.isAll
      ? chosen.keys
      : new Set([...chosen.keys].filter((key) => here.has(key)));
  const selectAll = async () => {
    try {
      const rows = (await readAll(store.id, name, filters)) as { id: string | number }[];
      setChosen({ of, keys: new Set(rows.map(({ id }) => String(id))), isAll: true });
    } catch (error) {
      notifyFailed(error as Error);
    }
  };
  return {
    selected,
    select: (keys) => setChosen({ of, keys, isAll: isOurs && chosen.isAll && keys.size > 0 }),
    clear: () => setChosen({ of, keys: NONE, isAll: false }),
    isAll: isOurs && chosen.isAll,
    selectAll,
  };
}
