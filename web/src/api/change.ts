import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext, useRef, useState } from 'react';
import { notifyDone, notifyFailed } from '../notices';
import { words } from '../words';
import { ask, type CallName, type Conditions, type InputOf, type OutputOf } from './client';
import { Refusal } from './refusal';
import { StoreContext } from './store';

/** A record with the time of its last change, by which the service recognizes an outdated one. */
export type Versioned = object & { updatedAt?: string | null };

interface Options<Input, Data, Stored> {
  /** What is said when the change is made. */
  done?: string | ((data: Data, input: Input) => string | undefined);
  /** The input that reverses the change, if one call can do that. Then the notification offers to undo it. */
  undo?: (input: Input) => Input | undefined;
  onDone?: (data: Data) => void;
  /** Where a refusal is read: in a notification, or in the form that gets `error`. */
  refusals?: 'notice' | 'form';
  /**
   * Reads the record again if somebody else has changed it in the meantime; then it is in `theirs`. Without
   * it such a conflict is like any other refusal.
   */
  reread?: () => Promise<Stored>;
}

const isConflict = (error: unknown) => error instanceof Refusal && error.code === 'precondition_failed';

/**
 * Makes changes by an operation or a route: the only way in which pages change something. Afterwards
 * everything that is shown of the store, or of the person's account, is read again, because lists, counts,
 * figures and the audit log show the change too.
 */
export function useChange<Name extends CallName, Stored extends Versioned = Versioned>(
  name: Name,
  options: Options<InputOf<Name>, OutputOf<Name>, Stored> = {},
) {
  const { done, undo, onDone, refusals = 'notice', reread } = options;
  const { request, refresh, send } = useRequest(name);
  const [theirs, setTheirs] = useState<Stored | null>(null);
  const mutation = useMutation<OutputOf<Name>, Error, Parameters<typeof request>>({
    mutationFn: async (given) => {
      setTheirs(null);
      try {
        return await request(...given);
      } catch (error) {
        if (isConflict(error) && reread) setTheirs(await reread());
        throw error;
      }
    },
    onSuccess: (data, [input]) => {
      const text = typeof done === 'function' ? done(data, input) : done;
      const reverse = undo?.(input);
      if (text !== undefined) notifyDone(text, reverse && (() => send(reverse)));
      onDone?.(data);
      refresh();
    },
    onError: (error) => {
      if (refusals === 'form') return;
      if (isConflict(error)) refresh();
      notifyFailed(isConflict(error) ? new Error(words.conflict.title) : error);
    },
  });
  const { isPending, data } = mutation;
  const make = useOneAtATime(mutation.mutateAsync);
  const error = theirs ? null : mutation.error;
  return { make, send, isPending, error, data, theirs, dropTheirs: () => setTheirs(null) };
}

/** The call of a change, which says nothing about it. */
function useRequest<Name extends CallName>(name: Name) {
  const store = useContext(StoreContext);
  const client = useQueryClient();
  const ofStore = !name.includes(' ') || name.includes('{storeId}');
  const request = (input: InputOf<Name>, conditions?: Conditions) => ask(store?.id, name, input, conditions);
  const refresh = () => void client.invalidateQueries({ queryKey: [ofStore ? store!.id : 'account'] });
  const send = async (input: InputOf<Name>) => {
    const data = await request(input);
    refresh();
    return data;
  };
  return { request, refresh, send };
}

/**
 * Makes the change, unless it is being made already: a second click does nothing.
 * @returns a function that answers undefined if the change was refused, which has then been said
 */
function useOneAtATime<Given extends unknown[], Data>(change: (given: Given) => Promise<Data>) {
  const isBusy = useRef(false);
  return async (...given: Given): Promise<Data | undefined> => {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    try {
      return await change(given);
    } catch {
      return undefined;
    } finally {
      isBusy.current = false;
    }
  };
}
