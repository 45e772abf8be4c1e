import { ActionIcon, Button, Drawer, Group, Menu, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useSearch } from '../../address';
import { mayRun } from '../../api/access';
import { ask, type InputOf, type OperationName } from '../../api/client';
import type { Versioned } from '../../api/change';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { type Column, DataList } from './data-list';
import { ConfirmDialog } from '../dialogs';
import { asText, fieldName } from '../values/format';
import { DotsIcon, EditIcon, PlusIcon, TrashIcon } from '../icons';
import type { FieldHints } from '../forms/field';
import { SchemaForm } from '../forms/schema-form';
import { PageHead } from '../states';
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

export function ResourcePage<Row extends Identified>({
  list,
  get,
  create,
  update,
  remove,
  columns,
  hints,
  words: say,
}: Resource<Row>) {
  const text = say();
  const { id: storeId, role } = useStore();
  const [search, setSearch] = useSearch();
  const [removing, setRemoving] = useState<Row | null>(null);
  const query = usePages(list, {} as InputOf<OperationName>);
  const rows = query.rows as object[] as Row[];
  const editing = rows.find(({ id }) => String(id) === search.edit);
  const shown = columns().map((column) => (typeof column === 'string' ? fieldColumn<Row>(column) : column));
  const nameOf = (row: Row) => asText((row as Record<string, unknown>)[shown[0].key]);
  const close = () => setSearch({ new: null, edit: null });
  const reread = () =>
    ask(storeId, get!, { id: editing!.id } as InputOf<OperationName>) as Promise<Versioned>;
  const createButton = create && (
    <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
      {text.create}
    </Button>
  );
  return (
    <Stack>
      <PageHead title={text.title}>{createButton}</PageHead>
      <DataList
        query={{ ...query, rows }}
        columns={shown}
        rowKey={({ id }) => String(id)}
        rowName={nameOf}
        onOpen={update ? ({ id }) => setSearch({ edit: String(id) }) : undefined}
        actions={
          remove && mayRun(role, remove)
            ? (row) => (
                <RowMenu
                  name={nameOf(row)}
                  onEdit={update && (() => setSearch({ edit: String(row.id) }))}
                  onRemove={() => setRemoving(row)}
                />
              )
            : undefined
        }
        empty={{ title: text.empty, hint: text.emptyHint, action: createButton }}
      />
      {create && search.new && (
        <FormDrawer title={text.create} onClose={close}>
          <SchemaForm operation={create} hints={hints} done={words.common.created} onDone={close} />
        </FormDrawer>
      )}
      {update && editing && (
        <FormDrawer title={nameOf(editing)} onClose={close}>
          <SchemaForm
            key={String(editing.id)}
            operation={update}
            fixed={{ id: editing.id }}
            record={editing}
            reread={get && reread}
            hints={hints}
            done={words.common.saved}
            onDone={close}
          />
        </FormDrawer>
      )}
      {remove && removing && (
        <RemoveDialog
          operation={remove}
          id={removing.id}
          name={nameOf(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}

/** A form in a drawer beside the list. On a phone it fills the screen. */
export function FormDrawer({
  title,
  children,
  onClose,
}: {
  title: string;
  children: ReactNode;
  onClose: () => void;
}) {
  return (
    <Drawer opened onClose={onClose} title={title} position="right" size="md">
      {children}
    </Drawer>
  );
}

/** Deletes a record by an operation that requires `confirm`, once its name has been typed. */
export function RemoveDialog({
  operation,
  id,
  name,
  onClose,
}: {
  operation: OperationName;
  id: string | number;
  name: string;
  onClose: () => void;
}) {
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

export function RowMenu({
  name,
  onEdit,
  onRemove,
  children,
}: {
  name: string;
  onEdit?: () => void;
  onRemove?: () => void;
  children?: ReactNode;
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`${words.common.actions}: ${name}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && (
          <Menu.Item leftSection={<EditIcon />} onClick={onEdit}>
            {words.common.edit}
          </Menu.Item>
        )}
        {children}
        {onRemove && (
          <Menu.Item color="red" leftSection={<TrashIcon />} onClick={onRemove}>
            {words.common.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
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
