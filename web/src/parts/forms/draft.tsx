import { Button, Group, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useChange, type Versioned } from '../../api/change';
import { ask, type CallName, type InputOf, type OutputOf } from '../../api/client';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { ConflictDialog } from './conflict';
import { Failure, FormFailure } from '../failure';
import { refused } from './refused';
import { LoadingBlock } from '../states';

/** The state of a configuration form: its values, how to change them, and errors. */
export interface Draft<Config> {
  value: Config;
  change: (part: Partial<Config>) => void;
  /** The error of the field at a path, for example `cashback.levels[0].minOrders`. */
  errorOf: (path: string) => string | undefined;
}

type Stored<Get extends CallName> = OutputOf<Get> & Versioned;

interface Props<Get extends CallName, Config extends object> {
  get: Get;
  update: CallName;
  /** Selects one of several configurations, as both operations expect it: `{ kind: 'welcome' }`. */
  which?: object;
  /** The part of the record that the form edits, under the keys of the update operation. */
  pick: (record: OutputOf<Get>) => Config;
  children: (draft: Draft<Config>) => ReactNode;
}

/**
 * The form of a configuration of which a store has only one. It is edited as a whole, and its operation saves
 * the changed parts. Leaving the page with unsaved changes asks for confirmation. A change by somebody else
 * opens the conflict dialog.
 */
export function ConfigForm<Get extends CallName, Config extends object>(props: Props<Get, Config>) {
  const config = useRead(props.get, (props.which ?? {}) as InputOf<Get>);
  if (config.error) return <Failure error={config.error} retry={() => void config.refetch()} />;
  if (!config.data) return <LoadingBlock />;
  return <Form {...props} record={config.data as Stored<Get>} />;
}

function Form<Get extends CallName, Config extends object>({
  get,
  update,
  which = {},
  pick,
  children,
  record,
}: Props<Get, Config> & { record: Stored<Get> }) {
  const { id: storeId } = useStore();
  const [shown, setShown] = useState(record);
  const [value, setValue] = useState(() => pick(shown));
  const stored = pick(shown) as Record<string, unknown>;
  const changed = Object.fromEntries(
    Object.entries(value).filter(([key, part]) => JSON.stringify(part) !== JSON.stringify(stored[key])),
  );
  const isDirty = Object.keys(changed).length > 0;
  const take = (fresh: Stored<Get>) => {
    setShown(fresh);
    setValue(pick(fresh));
  };
  const reread = () => ask(storeId, get, which as InputOf<Get>) as Promise<Stored<Get>>;
  const { make, isPending, error, theirs, dropTheirs } = useChange(update, {
    done: words.common.saved,
    refusals: 'form',
    reread,
    onDone: () => void reread().then(take),
  });
  const save = (version: Versioned['updatedAt']) =>
    void make({ ...which, ...changed } as InputOf<CallName>, { ifMatch: version ?? undefined });
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
        save(shown.updatedAt);
      }}
    >
      <Stack>
        <FormFailure text={errors.rest} />
        {children({ value, change: (part) => setValue((all) => ({ ...all, ...part })), errorOf: errors.of })}
        <Group justify="flex-end" className="form-foot">
          {isDirty && (
            <Button variant="default" onClick={() => setValue(pick(shown))}>
              {words.common.cancel}
            </Button>
          )}
          <Button type="submit" loading={isPending} disabled={!isDirty}>
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
            save(theirs.updatedAt);
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
