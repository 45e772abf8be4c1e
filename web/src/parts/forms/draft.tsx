import { Button, Group, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ask, type CallName, type InputOf } from '../../api/client';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { ConflictDialog } from './conflict';
import { Failure, FormFailure } from '../failure';
import { notifyDone } from '../notify';
import { refused } from './refused';
import { useSave, type Versioned } from './save';
import { LoadingBlock } from '../states';

/** The state of a configuration form: its values, how to change them, and errors. */
export interface Draft<Config> {
  value: Config;
  change: (part: Partial<Config>) => void;
  /** The error of the field at a path, for example `cashback.levels[0].minOrders`. */
  errorOf: (path: string) => string | undefined;
}

interface Props<Config extends object> {
  get: CallName;
  update: CallName;
  /** Selects one of several configurations, as both operations expect it: `{ kind: 'welcome' }`. */
  which?: object;
  /** The part of the record that the form edits, under the keys of the update operation. */
  pick: (record: never) => Config;
  children: (draft: Draft<Config>) => ReactNode;
}

/**
 * The form of a configuration of which a store has only one. It is edited as a whole, and its operation saves
 * the changed parts. Leaving the page with unsaved changes asks for confirmation. A change by somebody else
 * opens the conflict dialog.
 */
export function ConfigForm<Config extends object>(props: Props<Config>) {
  const config = useRead(props.get, (props.which ?? {}) as InputOf<CallName>);
  if (config.error) return <Failure error={config.error} retry={() => void config.refetch()} />;
  if (!config.data) return <LoadingBlock />;
  return <Form {...props} record={config.data as Versioned} />;
}

function Form<Config extends object>({
  get,
  update,
  which = {},
  pick,
  children,
  record,
}: Props<Config> & { record: Versioned }) {
  const { id: storeId } = useStore();
  const [shown, setShown] = useState(record);
  const [value, setValue] = useState(() => pick(shown as never));
  const stored = pick(shown as never) as Record<string, unknown>;
  const changed = Object.fromEntries(
    Object.entries(value).filter(([key, part]) => JSON.stringify(part) !== JSON.stringify(stored[key])),
  );
  const isDirty = Object.keys(changed).length > 0;
  const take = (fresh: Versioned) => {
    setShown(fresh);
    setValue(pick(fresh as never));
  };
  const reread = () => ask(storeId, get, which as InputOf<CallName>) as Promise<Versioned>;
  const { save, busy, error, theirs, dropTheirs } = useSave({
    send: (input: object, ifMatch) =>
      ask(storeId, update, { ...which, ...input } as InputOf<CallName>, { ifMatch }),
    reread,
    onDone: () => {
      void reread().then(take);
      notifyDone(words.common.saved);
    },
  });
  useBlocker({
    shouldBlockFn: () => isDirty && !confirm(words.common.unsaved),
    enableBeforeUnload: () => isDirty,
  });
  const errors = refused(error, value as Record<string, unknown>);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save(changed, shown.updatedAt);
      }}
    >
      <Stack>
        <FormFailure text={errors.rest} />
        {children({ value, change: (part) => setValue((all) => ({ ...all, ...part })), errorOf: errors.of })}
        <Group justify="flex-end" className="form-foot">
          {isDirty && (
            <Button variant="default" onClick={() => setValue(pick(shown as never))}>
              {words.common.cancel}
            </Button>
          )}
          <Button type="submit" loading={busy} disabled={!isDirty}>
            {words.common.save}
          </Button>
        </Group>
      </Stack>
      {theirs && (
        <ConflictDialog
          yours={changed}
          theirs={theirs as Record<string, unknown>}
          onKeepMine={() => {
            setShown(theirs);
            void save(changed, theirs.updatedAt);
          }}
          onTakeTheirs={() => {
            take(theirs);
            dropTheirs();
          }}
        />
      )}
    </form>
  );
}
