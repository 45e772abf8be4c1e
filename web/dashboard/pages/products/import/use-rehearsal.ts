import { useEffect, useState } from 'react';
import type { Plan } from '../../../../../packages/import/src/planning/plan';
import { rehearsed } from '../../../../../packages/import/src/rehearse';
import { useStore } from '../../../api/store';
import { callerOf } from './use-import';

const NOTHING: Awaited<ReturnType<typeof rehearsed>> = { warnings: [], rest: 0 };

/** What the service would warn of, once it is known. The import itself says it too. */
export function useRehearsal(plan: Plan) {
  const store = useStore();
  const [known, setKnown] = useState(NOTHING);
  useEffect(() => {
    const stopper = new AbortController();
    setKnown(NOTHING);
    rehearsed(plan, callerOf(store.id), stopper.signal).then(
      (found) => !stopper.signal.aborted && setKnown(found),
      () => undefined,
    );
    return () => stopper.abort();
  }, [plan, store.id]);
  return known;
}
