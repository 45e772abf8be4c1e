import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Versioned } from '../../api/change';
import { ask, type CallName, type InputOf, type OutputOf } from '../../api/client';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { Failure } from '../failure';
import { LoadingBlock } from '../states';
import type { FieldTexts } from './differences';
import { useEdited } from './edited';
import { Form } from './form';

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
  /** How a conflict names the fields. */
  texts?: FieldTexts;
  children: (draft: Draft<Config>) => ReactNode;
}

/**
 * The form of a configuration of which a store has only one. It is edited as a whole, and its operation saves
 * the changed parts.
 */
export function ConfigForm<Get extends CallName, Config extends object>(props: Props<Get, Config>) {
  const config = useRead(props.get, (props.which ?? {}) as InputOf<Get>);
  // A later read that fails must not take away the form, in which somebody may have typed.
  return (
    <>
      {config.error && <Failure error={config.error} retry={() => void config.refetch()} />}
      {config.data && <Loaded {...props} record={config.data as Stored<Get>} />}
      {config.isPending && <LoadingBlock />}
    </>
  );
}

type LoadedProps<Get extends CallName, Config extends object> = Props<Get, Config> & { record: Stored<Get> };

function Loaded<Get extends CallName, Config extends object>(props: LoadedProps<Get, Config>) {
  const { get, update, which = {}, record, children } = props;
  const { id: storeId } = useStore();
  const pick = (shown: Stored<Get> | undefined) => props.pick(shown!);
  const changedOf = (config: Config, saved: Stored<Get> | undefined) => {
    const stored = pick(saved) as Record<string, unknown>;
    const differs = ([key, part]: [string, unknown]) => JSON.stringify(part) !== JSON.stringify(stored[key]);
    return Object.fromEntries(Object.entries(config).filter(differs));
  };
  const reread = () => ask(storeId, get, which as InputOf<Get>) as Promise<Stored<Get>>;
  const { shown, values, setValues, isDirty, change, save, conflict } = useEdited(update, {
    ...{ record, pick, changedOf, fixed: which, hasVersion: true, reread, done: words.common.saved },
    texts: props.texts,
    onDone: (_, take) => void reread().then(take),
  });
  const set = (part: Partial<Config>) => setValues((all) => ({ ...all, ...part }));
  return (
    <>
      <Form values={values} isDirty={isDirty} change={change} gap="md" onSubmit={() => save()}>
        {(errorOf, isWarned) => (
          <>
            {children({ value: values, change: set, errorOf })}
            <Group justify="flex-end" className="form-foot">
              {isDirty && (
                <Button variant="default" onClick={() => setValues(pick(shown))}>
                  {words.common.cancel}
                </Button>
              )}
              <Button type="submit" loading={change.isPending} disabled={!isDirty}>
                {isWarned ? words.common.allTheSame : words.common.save}
              </Button>
            </Group>
          </>
        )}
      </Form>
      {conflict}
    </>
  );
}
