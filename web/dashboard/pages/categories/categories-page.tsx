import { Box, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearch } from '../../address';
import { mayRun } from '../../api/access';
import { ask, type Output } from '../../api/client';
import { useChange } from '../../api/change';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { Choice } from '../../parts/inputs/choice';
import { Dialog } from '../../parts/dialog';
import { Failure } from '../../parts/failure';
import { PlusIcon } from '../../parts/icons';
import { RemoveDialog } from '../../parts/lists/resource';
import { RowMenu } from '../../parts/menus/row-menu';
import { moved, Moves } from '../../parts/inputs/row-editor';
import type { FieldProps } from '../../parts/forms/field';
import { SchemaForm } from '../../parts/forms/schema-form';
import { Empty, LoadingRows, PageHead } from '../../parts/states';
import { Badge } from '../../parts/values/values';
import { words } from '../../words/all';

type Category = Output<'get_category'>;

/** The children of a category, sorted. A category whose parent no longer exists is shown at the top level. */
function childrenOf(all: Category[], parentId: string | null): Category[] {
  const ids = new Set(all.map(({ id }) => id));
  return all
    .filter(
      (category) =>
        (category.parentId !== null && ids.has(category.parentId) ? category.parentId : null) === parentId,
    )
    .sort((a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name));
}

/** A tree is only correct once all pages of the list are loaded. */
function useAll() {
  const query = usePages('list_categories', { take: 100 });
  useEffect(() => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  });
  return query;
}

export default function CategoriesPage() {
  const [, setSearch] = useSearch();
  const query = useAll();
  const create = (
    <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
      {words.creates.category}
    </Button>
  );
  return (
    <Stack>
      <PageHead title={words.pages.categories}>{create}</PageHead>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      <Box className="surface clipped">
        {query.isPending ? (
          <LoadingRows />
        ) : query.rows.length === 0 ? (
          <Empty title={words.categories.empty} action={create}>
            {words.categories.emptyHint}
          </Empty>
        ) : (
          <Branch all={query.rows} parentId={null} />
        )}
      </Box>
      <Forms all={query.rows} />
    </Stack>
  );
}

/** The forms at the side of the tree. The address says which one is open. */
function Forms({ all }: { all: Category[] }) {
  const { id: storeId } = useStore();
  const [search, setSearch] = useSearch();
  const editing = all.find(({ id }) => id === search.edit);
  const close = () => setSearch({ new: null, edit: null, parent: null });
  const parent = (field: FieldProps) => <ParentSelect {...field} all={all} self={editing?.id} />;
  const hints = { parentId: { label: words.categories.parent, render: parent } };
  return (
    <>
      {search.new && (
        <Dialog side title={words.creates.category} onClose={close}>
          <SchemaForm
            operation="create_category"
            fixed={search.parent ? { parentId: search.parent } : {}}
            hints={hints}
            done={words.common.created}
            onDone={close}
          />
        </Dialog>
      )}
      {editing && (
        <Dialog side title={editing.name} onClose={close}>
          <SchemaForm
            key={editing.id}
            operation="update_category"
            fixed={{ id: editing.id }}
            record={editing}
            reread={() => ask(storeId, 'get_category', { id: editing.id })}
            hints={hints}
            done={words.common.saved}
            onDone={close}
          />
        </Dialog>
      )}
    </>
  );
}

interface BranchProps {
  all: Category[];
  parentId: string | null;
}

/** The children of one category, each with its own children. One call reorders siblings. */
function Branch({ all, parentId }: BranchProps) {
  const reorder = useChange('POST stores/{storeId}/categories/reorder');
  const children = childrenOf(all, parentId);
  const ids = children.map(({ id }) => id);
  return (
    <ul className={parentId === null ? 'plain-list tree' : 'plain-list branch'}>
      {children.map((category, i) => (
        <li key={category.id}>
          <Node category={category}>
            <Moves
              name={category.name}
              {...{ i, count: ids.length, disabled: reorder.isPending }}
              onMove={(by) => void reorder.make({ ids: moved(ids, i, by) })}
            />
          </Node>
          {all.some((other) => other.parentId === category.id) && <Branch all={all} parentId={category.id} />}
        </li>
      ))}
    </ul>
  );
}

/** One category, with its buttons and menu. */
function Node({ category: { id, name, isActive }, children }: { category: Category; children: ReactNode }) {
  const { role } = useStore();
  const [, setSearch] = useSearch();
  const [isRemoving, setRemoving] = useState(false);
  const edit = () => setSearch({ edit: id });
  return (
    <Group justify="space-between" wrap="nowrap" px="md" py={6} className="card-row">
      <Group gap="sm" miw={0}>
        <Text component="button" type="button" className="row-button" onClick={edit}>
          {name}
        </Text>
        {!isActive && <Badge tone="grey">{words.categories.inactive}</Badge>}
      </Group>
      <Group gap={2} wrap="nowrap">
        {children}
        <RowMenu
          name={name}
          onEdit={edit}
          onRemove={mayRun(role, 'delete_category') ? () => setRemoving(true) : undefined}
        >
          <Menu.Item leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1', parent: id })}>
            {words.categories.createBelow}
          </Menu.Item>
        </RowMenu>
      </Group>
      {isRemoving && (
        <RemoveDialog operation="delete_category" {...{ id, name }} onClose={() => setRemoving(false)} />
      )}
    </Group>
  );
}

/** Selects any other category, except itself and those below it. */
function ParentSelect({ all, self, ...field }: FieldProps & { all: Category[]; self?: string }) {
  const isBelow = (category: Category): boolean => {
    if (category.id === self) return true;
    const parent = all.find(({ id }) => id === category.parentId);
    return parent !== undefined && isBelow(parent);
  };
  return <Choice {...field} from={all.filter((category) => !isBelow(category))} />;
}
