import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Import, type Outcome, type Progress } from '../../../../../packages/import/src/carry-out';
import type { Plan } from '../../../../../packages/import/src/planning/plan';
import type { Call } from '../../../../../packages/import/src/planning/read-stored';
import { isAnswer } from '../../../api/change';
import { ask, type OperationName, requestIdOf } from '../../../api/client';
import { Refusal } from '../../../api/refusal';
import { useStore } from '../../../api/store';
import { type Made, undoAll } from '../../../api/undo';

/**
 * Calls operations of the store, one after the other, and waits as long as the service says where there were
 * too many calls. A call that got no answer has the same key when it is made again, so that it has no second
 * effect.
 */
export function callerOf(storeId: string): Call {
  let last = { text: '', key: '' };
  return async <Result>(operation: string, input: object) => {
    const text = JSON.stringify([operation, input]);
    if (text !== last.text) last = { text, key: crypto.randomUUID() };
    const { key: idempotencyKey } = last;
    for (;;) {
      try {
        const data = await ask(storeId, operation as OperationName, input as never, { idempotencyKey });
        last = { text: '', key: '' };
        return data as Result;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'rate_limited') {
          if (isAnswer(error)) last = { text: '', key: '' };
          throw error;
        }
        await new Promise((go) => setTimeout(go, (error.retryAfter ?? 1) * 1_000));
      }
    }
  };
}

/** An import under way: its progress, what came of it, and the way to stop and to take it back. */
export function useImport(plan: Plan) {
  const store = useStore();
  const client = useQueryClient();
  const [work] = useState(() => new Import(plan, callerOf(store.id)));
  const stopper = useRef<AbortController>(null);
  const isBusy = useRef(false);
  const [state, setState] = useState<'ready' | 'running' | 'stopped' | 'done'>('ready');
  const [progress, setProgress] = useState<Progress>(work.outcome.progress);
  const [error, setError] = useState<Error | null>(null);
  const [undone, setUndone] = useState(0);
  useEffect(() => () => stopper.current?.abort(), []);
  const run = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    setError(null);
    setState('running');
    try {
      await work.run({ signal, onProgress: setProgress });
      setState('done');
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error);
      setState('stopped');
    }
    isBusy.current = false;
    void client.invalidateQueries({ queryKey: [store.id] });
  };
  const made = work.outcome.answers.flatMap(({ operation, answer }): Made[] =>
    answer.updated === 0 ? [] : [{ operation: operation as OperationName, requestId: requestIdOf(answer) }],
  );
  const left = made.slice(0, made.length - undone);
  /** Takes back all that was done, the last first. */
  const undo = async () => {
    const stays = await undoAll(store.id, left);
    void client.invalidateQueries({ queryKey: [store.id] });
    setUndone(made.length - stays.length);
    if (stays.length > 0) throw stays[0].error;
  };
  const outcome: Outcome = work.outcome;
  return {
    ...{ run, state, progress, error, outcome },
    stop: () => stopper.current?.abort(),
    undo: left.length > 0 ? undo : undefined,
  };
}
