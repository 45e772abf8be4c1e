import { Box, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearch } from '../../address';
import { mayRun } from '../../api/access';
import { ask, type Output } from '../../api/client';
import { useChange } from '../../api/change';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { Choice } from '../../parts/forms/choice';
import { Failure } from '../../parts/failure';
import { PlusIcon } from '../../parts/icons';
import { FormDrawer, RemoveDialog, RowMenu } from '../../parts/lists/resource';
import { Move } from '../../parts/forms/row-editor';
import type { FieldProps } from '../../parts/forms/field';
import { SchemaForm } from '../../parts/forms/schema-form';
import { Empty, LoadingRows, PageHead } from '../../parts/states';
import { Badge } from '../../parts/values/values';
import { words } from '../../words';

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

export default function CategoriesPage() {
  const { id: storeId, role } = useStore();
  const [search, setSearch] = useSearch();
  const [removing, setRemoving] = useState<Category | null>(null);
  const query = usePages('list_categories', { take: 100 });
  // A tree is only correct once all pages are loaded.
  useEffect(() => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  });
  const editing = query.rows.find(({ id }) => id === search.edit);
  const close = () => setSearch({ new: null, edit: null, parent: null });
  const create = (
    <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
      {words.categories.create}
    </Button>
  );
  const hints = {
    parentId: {
      label: words.categories.parent,
      render: (field: FieldProps) => <ParentSelect {...field} all={query.rows} self={editing?.id} />,
    },
  };
  return (
    <Stack>
      <PageHead title={words.categories.title}>{create}</PageHead>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      <Box className="surface clipped">
        {query.isPending ? (
          <LoadingRows />
        ) : query.rows.length === 0 ? (
          <Empty title={words.categories.empty} action={create}>
            {words.categories.emptyHint}
          </Empty>
        ) : (
          <Branch
            all={query.rows}
            parentId={null}
            onEdit={(edit) => setSearch({ edit })}
            onAdd={(parent) => setSearch({ new: '1', parent })}
            onRemove={mayRun(role, 'delete_category') ? setRemoving : undefined}
          />
        )}
      </Box>
      {search.new && (
        <FormDrawer title={words.categories.create} onClose={close}>
          <SchemaForm
            operation="create_category"
            fixed={search.parent ? { parentId: search.parent } : {}}
            hints={hints}
            done={words.common.created}
            onDone={close}
          />
        </FormDrawer>
      )}
      {editing && (
        <FormDrawer title={editing.name} onClose={close}>
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
        </FormDrawer>
      )}
      {removing && (
        <RemoveDialog
          operation="delete_category"
          id={removing.id}
          name={removing.name}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}

interface BranchProps {
  all: Category[];
  parentId: string | null;
  onEdit: (id: string) => void;
  onAdd: (parentId: string) => void;
  onRemove?: (category: Category) => void;
}

/** The children of one category, each with its own children. One call reorders siblings. */
function Branch(props: BranchProps) {
  const { all, parentId, onEdit, onAdd, onRemove } = props;
  const reorder = useChange('POST stores/{storeId}/categories/reorder');
  const children = childrenOf(all, parentId);
  const move = (i: number, by: number) => {
    const ids = children.map(({ id }) => id);
    ids.splice(i + by, 0, ...ids.splice(i, 1));
    void reorder.make({ ids });
  };
  return (
    <ul className={parentId === null ? 'plain-list tree' : 'plain-list branch'}>
      {children.map((category, i) => (
        <li key={category.id}>
          <Group justify="space-between" wrap="nowrap" px="md" py={6} className="card-row">
            <Group gap="sm" miw={0}>
              <Text
                component="button"
                type="button"
                className="row-button"
                onClick={() => onEdit(category.id)}
              >
                {category.name}
              </Text>
              {!category.isActive && <Badge tone="grey">{words.categories.inactive}</Badge>}
            </Group>
            <Group gap={2} wrap="nowrap">
              <Move
                up
                name={category.name}
                disabled={i === 0 || reorder.isPending}
                onClick={() => move(i, -1)}
              />
              <Move
                name={category.name}
                disabled={i === children.length - 1 || reorder.isPending}
                onClick={() => move(i, 1)}
              />
              <RowMenu
                name={category.name}
                onEdit={() => onEdit(category.id)}
                onRemove={onRemove && (() => onRemove(category))}
              >
                <Menu.Item leftSection={<PlusIcon />} onClick={() => onAdd(category.id)}>
                  {words.categories.createBelow}
                </Menu.Item>
              </RowMenu>
            </Group>
          </Group>
          {all.some((other) => other.parentId === category.id) && (
            <Branch {...props} parentId={category.id} />
          )}
        </li>
      ))}
    </ul>
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
