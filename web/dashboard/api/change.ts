import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext, useRef, useState } from 'react';
import type { Sentence, Told } from '../../../src/platform/problems';
import { notifyDone, notifyFailed } from '../notify';
import { words } from '../words';
import {
  ask,
  type CallName,
  type Conditions,
  type InputOf,
  type OperationName,
  type OutputOf,
  requestIdOf,
} from './client';
import { Refusal } from './refusal';
import { StoreContext } from './store';
import { isUndoable, undoChange } from './undo';
import { noteChange } from './second-click';

/** A record with the time of its last change, by which the service recognizes an outdated one. */
export type Versioned = object & { updatedAt?: string | null };

interface Options<Input, Data, Stored> {
  /**
   * What is said when the change is made, with what the service warns of. A function that answers nothing
   * leaves both to the page.
   */
  done?: string | ((data: Data, input: Input) => string | undefined);
  /** Whether the page has shown what the service warns of before the change was made. */
  hasWarned?: boolean;
  onDone?: (data: Data) => void;
  onFailed?: (error: Error) => void;
  /**
   * Where a refusal is read: in a notification, or in the form that gets `error`. A form also asks first if
   * the service would warn of the change (REHEARSED): it gets `warned`, and the same once more makes it.
   */
  refusals?: 'notice' | 'form';
  /**
   * Reads the record again if somebody else has changed it in the meantime; then it is in `theirs`. Without
   * it such a conflict is like any other refusal.
   */
  reread?: () => Promise<Stored>;
}

export type ChangeOptions<Name extends CallName> = Options<InputOf<Name>, OutputOf<Name>, Versioned>;

/**
 * The operations that forms rehearse before they make a change, so that what the service warns of is read
 * before it has happened: prices, what is on sale, and rules that give something away.
 */
const REHEARSED: ReadonlySet<string> = new Set<OperationName>([
  ...(['create_product', 'update_product', 'create_products', 'update_products'] as const),
  ...(['create_variant', 'update_variant', 'update_category', 'update_monetization'] as const),
  ...(['create_promocode', 'update_promocode', 'create_contest', 'update_contest'] as const),
]);
/** The service rehearses no larger input, in bytes. */
const MOST_BYTES = 256 * 1024;

/** The change is not made yet: the service would warn of it, and nobody has said that it is meant. */
class Warned extends Error {
  constructor(readonly warnings: Sentence[]) {
    super(warnings.map(({ text }) => text).join('\n'));
  }
}

interface WithWarnings {
  warnings?: string[];
  told?: (Told | null)[];
  items?: WithWarnings[];
}

/** What the service warns of in an answer, and in the items of one about many. */
export function warningsOf(data: unknown): Sentence[] {
  const { warnings = [], told = [], items = [] } = (data ?? {}) as WithWarnings;
  return [...warnings.map((text, i) => ({ text, told: told[i] ?? undefined })), ...items.flatMap(warningsOf)];
}

/** What the service would warn of. @throws Refusal as the change itself */
async function rehearsed(storeId: string, name: string, input: Record<string, unknown>): Promise<Sentence[]> {
  if (!REHEARSED.has(name) || new Blob([JSON.stringify(input)]).size > MOST_BYTES) return [];
  const { answer } = await ask(storeId, 'preview_change', { operation: name, input });
  return warningsOf(answer);
}

const isConflict = (error: unknown) => error instanceof Refusal && error.code === 'precondition_failed';

/**
 * Makes changes by an operation or a route: the way in which pages change something, but for uploads of
 * pictures (upload.tsx). Afterwards everything that is shown of the store, or of the person's account, is
 * read again, because lists, counts, figures and the audit log show the change too.
 */
export function useChange<Name extends CallName, Stored extends Versioned = Versioned>(
  name: Name,
  options: Options<InputOf<Name>, OutputOf<Name>, Stored> = {},
) {
  const { done, hasWarned = false, onDone, onFailed, refusals = 'notice', reread } = options;
  const { storeId, request, refresh, send, undo } = useRequest(name);
  const keyed = useKey();
  const [theirs, setTheirs] = useState<Stored | null>(null);
  // The input that was rehearsed last, and whether a person has read what the service warns of. A retry
  // after a lost answer is not rehearsed again: the change may be made already.
  const last = useRef({ text: '', isRead: false });
  const rehearse = async (input: InputOf<Name>) => {
    const text = JSON.stringify(input);
    if (refusals !== 'form' || hasWarned || !storeId || text === last.current.text) return;
    const warnings = await rehearsed(storeId, name, input as Record<string, unknown>);
    last.current = { text, isRead: warnings.length > 0 };
    if (warnings.length > 0) throw new Warned(warnings);
  };
  const mutation = useMutation<OutputOf<Name>, Error, Parameters<typeof request>>({
    mutationFn: async (given) => {
      setTheirs(null);
      try {
        await rehearse(given[0]);
        return await keyed((idempotencyKey) => request(given[0], { idempotencyKey, ...given[1] }));
      } catch (error) {
        if (isConflict(error) && reread) setTheirs(await reread());
        throw error;
      }
    },
    onSuccess: (data, [input]) => {
      const hasAsked = hasWarned || last.current.isRead;
      last.current = { text: '', isRead: false };
      const text = typeof done === 'function' ? done(data, input) : done;
      if (text !== undefined)
        notifyDone(text, {
          undo: undo && (() => undo(data as object)),
          warnings: hasAsked ? [] : warningsOf(data),
        });
      onDone?.(data);
      refresh();
    },
    onError: (error) => {
      if (error instanceof Warned) return;
      onFailed?.(error);
      if (refusals === 'form') return;
      if (isConflict(error)) refresh();
      notifyFailed(isConflict(error) ? new Error(words.conflict.title) : error);
    },
  });
  const { isPending, data } = mutation;
  const make = useOneAtATime(name, mutation.mutateAsync);
  const warned = mutation.error instanceof Warned ? mutation.error.warnings : null;
  const error = theirs || warned ? null : mutation.error;
  return { make, send, isPending, error, warned, data, theirs, dropTheirs: () => setTheirs(null) };
}

/**
 * Gives a change its Idempotency-Key. The key stays the same until there is an answer, so that a retry after
 * a lost connection has no second effect.
 */
function useKey() {
  const key = useRef<string>(null);
  return async <Data>(request: (key: string) => Promise<Data>): Promise<Data> => {
    key.current ??= crypto.randomUUID();
    try {
      const data = await request(key.current);
      key.current = null;
      return data;
    } catch (error) {
      if (isAnswer(error)) key.current = null;
      throw error;
    }
  };
}

/** Whether the service has answered, so that nothing of the change is made. */
export const isAnswer = (error: unknown) =>
  error instanceof Refusal && error.code !== 'unreachable' && error.code !== 'internal_error';

/** The call of a change, which says nothing about it. */
function useRequest<Name extends CallName>(name: Name) {
  const store = useContext(StoreContext);
  const client = useQueryClient();
  const ofStore = !name.includes(' ') || name.includes('{storeId}');
  const request = (input: InputOf<Name>, conditions?: Conditions) => ask(store?.id, name, input, conditions);
  const refresh = () => void client.invalidateQueries({ queryKey: [ofStore ? store!.id : 'account'] });
  const send = async (input: InputOf<Name>) => {
    const data = await request(input, { idempotencyKey: crypto.randomUUID() });
    refresh();
    return data;
  };
  const undo =
    isUndoable(name) && store
      ? (made: object) =>
          undoChange(store.id, { operation: name, requestId: requestIdOf(made) }).then(refresh)
      : undefined;
  return { storeId: store?.id, request, refresh, send, undo };
}

/** In milliseconds. The second click of a double click may come after the answer to the first. */
const DOUBLE_CLICK_MS = 500;

/**
 * Makes the change, unless it is being made already, or has just been made with the same input: a second
 * click does nothing. A button may change its name, and with it the change: Pause becomes Resume.
 * @returns a function that answers undefined if the change was refused, which has then been said
 */
function useOneAtATime<Given extends unknown[], Data>(name: string, change: (given: Given) => Promise<Data>) {
  const isBusy = useRef(false);
  const last = useRef({ text: '', at: -Infinity });
  return async (...given: Given): Promise<Data | undefined> => {
    const [at, text] = [performance.now(), JSON.stringify([name, given])];
    const isSecondClick = text === last.current.text && at - last.current.at < DOUBLE_CLICK_MS;
    if (isBusy.current || isSecondClick) return undefined;
    isBusy.current = true;
    noteChange();
    try {
      const data = await change(given);
      last.current = { text, at };
      return data;
    } catch {
      return undefined;
    } finally {
      isBusy.current = false;
    }
  };
}
