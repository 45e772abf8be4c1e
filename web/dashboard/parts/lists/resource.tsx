import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useSearch } from '../../address';
import { mayRun } from '../../api/access';
import { ask, type InputOf, type OperationName } from '../../api/client';
import type { Versioned } from '../../api/change';
import { readRow, usePages } from '../../api/queries';
import { Refusal } from '../../api/refusal';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { type Column, DataList } from './data-list';
import { Dialog } from '../dialog';
import { ConfirmDialog } from '../dialogs';
import { fieldName } from '../../api/telling/field-name';
import { asText } from '../values/format';
import { PlusIcon } from '../icons';
import type { FieldHints } from '../forms/field';
import { SchemaForm } from '../forms/schema-form';
import { PageHead } from '../states';
import { RowMenu } from '../menus/row-menu';
import { When, YesNo } from '../values/values';

export interface Identified {
  id: string;
  updatedAt?: string;
}

export interface Resource<Row extends Identified> {
  list: OperationName;
  get?: OperationName;
  create?: OperationName;
  update?: OperationName;
  remove?: OperationName;
  /** Further operations that its custom columns run. */
  others?: OperationName[];
  /**
   * The fields to show, first the record's name. A field that needs more than its plain value gets a custom
   * column.
   */
  columns: () => (string | Column<Row>)[];
  hints?: Record<string, FieldHints>;
  words: () => { title: string; create: string; empty: string; emptyHint?: string };
}

export function ResourcePage<Row extends Identified>(props: Resource<Row>) {
  const { create, update, remove } = props;
  const { title, create: createLabel, empty, emptyHint } = props.words();
  const { role } = useStore();
  const [, setSearch] = useSearch();
  const [removing, setRemoving] = useState<Removed | null>(null);
  const query = usePages(props.list, {} as InputOf<OperationName>);
  const rows = query.rows as object[] as Row[];
  const columns = props.columns().map((one) => (typeof one === 'string' ? fieldColumn<Row>(one) : one));
  const nameOf = (row: Row) => asText((row as Record<string, unknown>)[columns[0].key]);
  const edit = update && (({ id }: Row) => setSearch({ edit: String(id) }));
  const menu = (row: Row) => (
    <RowMenu
      name={nameOf(row)}
      onEdit={edit && (() => edit(row))}
      onRemove={() => setRemoving({ operation: remove!, id: row.id, name: nameOf(row) })}
    />
  );
  const createButton = create && (
    <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
      {createLabel}
    </Button>
  );
  return (
    <Stack>
      <PageHead title={title}>{createButton}</PageHead>
      <DataList
        query={{ ...query, rows }}
        columns={columns}
        rowKey={({ id }) => String(id)}
        rowName={nameOf}
        onOpen={edit}
        actions={remove && mayRun(role, remove) ? menu : undefined}
        empty={{ title: empty, hint: emptyHint, action: createButton }}
      />
      <Forms {...props} rows={rows} nameOf={nameOf} />
      {removing && <RemoveDialog {...removing} onClose={() => setRemoving(null)} />}
    </Stack>
  );
}

interface FormsProps<Row extends Identified> extends Resource<Row> {
  rows: Row[];
  nameOf: (row: Row) => string;
}

/** The forms at the side of the list. The address says which one is open. */
function Forms<Row extends Identified>(props: FormsProps<Row>) {
  const { get, create, update, hints, rows, nameOf } = props;
  const { id: storeId } = useStore();
  const [search, setSearch] = useSearch();
  const editing = rows.find(({ id }) => String(id) === search.edit);
  const close = () => setSearch({ new: null, edit: null });
  // A record that cannot be read alone is read from its list.
  const reread = async (): Promise<Versioned> => {
    const id = String(editing!.id);
    const input = (get ? { id } : {}) as InputOf<OperationName>;
    const fresh = get ? await ask(storeId, get, input) : await readRow(storeId, props.list, input, id);
    if (fresh === null) throw new Refusal('not_found', 'There is no such record');
    return fresh as Versioned;
  };
  return (
    <>
      {create && search.new && (
        <Dialog side title={props.words().create} onClose={close}>
          <SchemaForm operation={create} hints={hints} done={words.common.created} onDone={close} />
        </Dialog>
      )}
      {update && editing && (
        <Dialog side title={nameOf(editing)} onClose={close}>
          <SchemaForm
            key={String(editing.id)}
            operation={update}
            fixed={{ id: editing.id }}
            record={editing}
            reread={reread}
            hints={hints}
            done={words.common.saved}
            onDone={close}
          />
        </Dialog>
      )}
    </>
  );
}

interface Removed {
  operation: OperationName;
  id: string | number;
  name: string;
}

/** Deletes a record by an operation that requires `confirm`, once its name has been typed. */
export function RemoveDialog({ operation, id, name, onClose }: Removed & { onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`${words.common.delete}: ${name}`}
      type={name}
      submitLabel={words.common.delete}
      change={operation}
      input={{ id, confirm: true } as InputOf<OperationName>}
      done={words.common.deleted}
      onClose={onClose}
    />
  );
}

/** A column for a field. Its value decides how it is drawn. */
function fieldColumn<Row>(key: string): Column<Row> {
  return { key, label: fieldName(key), render: (row) => fieldValue((row as Record<string, unknown>)[key]) };
}

function fieldValue(value: unknown): ReactNode {
  if (typeof value === 'boolean') return <YesNo value={value} />;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <When iso={value} />;
  return <Group gap={4}>{asText(value)}</Group>;
}
