import { Box, Button, Center, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { target } from '../address';
import { useStore } from '../api/store';
import { words } from '../words';
import { Failure } from './failure';
import { useIsPhone } from './phone';
import { Empty, LoadingRows } from './states';

export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  align?: 'end';
  /** Not on cards, where room is short. */
  wideOnly?: boolean;
}

/** What `usePages` and `useList` return. */
export interface Rows<Row> {
  rows: Row[];
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface Props<Row> {
  query: Rows<Row>;
  /** The first one is the row's name and its link. */
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** What the row is called for screen readers, where the first column is not text. */
  rowName?: (row: Row) => string;
  /** Where a row leads, below the store's address. */
  to?: (row: Row) => string;
  /** Or what it opens here. */
  onOpen?: (row: Row) => void;
  /** At the end of a row: buttons or a menu. */
  actions?: (row: Row) => ReactNode;
  selected?: ReadonlySet<string>;
  onSelect?: (keys: Set<string>) => void;
  empty: { title: string; hint?: string; action?: ReactNode };
}

/** A list of records: a table, and cards on phones; its pages come one after another. */
export function DataList<Row>(props: Props<Row>) {
  const { query, empty } = props;
  const isPhone = useIsPhone();
  return (
    <Stack gap="md">
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {!(query.error && query.rows.length === 0) && (
        <Box className="surface clipped">
          {query.isPending ? (
            <LoadingRows />
          ) : query.rows.length === 0 ? (
            <Empty title={empty.title} action={empty.action}>
              {empty.hint}
            </Empty>
          ) : isPhone ? (
            <Cards {...props} />
          ) : (
            <Wide {...props} />
          )}
        </Box>
      )}
      {query.hasNextPage && (
        <Center>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.common.more}
          </Button>
        </Center>
      )}
    </Stack>
  );
}

function Wide<Row>(props: Props<Row>) {
  const { query, columns, rowKey, actions, selected, onSelect } = props;
  const keys = query.rows.map(rowKey);
  const all = selected !== undefined && keys.every((key) => selected.has(key));
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {selected && (
              <Table.Th w={44}>
                <Checkbox
                  aria-label={words.common.selectAll}
                  checked={all}
                  indeterminate={!all && selected.size > 0}
                  onChange={() => onSelect!(all ? new Set() : new Set(keys))}
                />
              </Table.Th>
            )}
            {columns.map(({ key, label, align }) => (
              <Table.Th key={key} ta={align}>
                {label}
              </Table.Th>
            ))}
            {actions && (
              <Table.Th>
                <span className="skip">{words.common.actions}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {query.rows.map((row) => (
            <Table.Tr key={rowKey(row)} className="row">
              {selected && (
                <Table.Td>
                  <Selector {...props} row={row} />
                </Table.Td>
              )}
              {columns.map((column, i) => (
                <Table.Td key={column.key} ta={column.align}>
                  {i === 0 ? <RowName {...props} row={row} /> : column.render(row)}
                </Table.Td>
              ))}
              {actions && (
                <Table.Td ta="end">
                  <span className="above">{actions(row)}</span>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Cards<Row>(props: Props<Row>) {
  const { query, columns, rowKey, actions, selected } = props;
  const [, ...others] = columns.filter(({ wideOnly }) => !wideOnly);
  return (
    <ul className="plain-list">
      {query.rows.map((row) => (
        <Box component="li" key={rowKey(row)} className="row card-row" p="md">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Group gap="sm" wrap="nowrap">
              {selected && <Selector {...props} row={row} />}
              <RowName {...props} row={row} />
            </Group>
            {actions && <span className="above">{actions(row)}</span>}
          </Group>
          <Stack gap={4} mt={6}>
            {others.map(({ key, label, render }) => (
              <Group key={key} justify="space-between" wrap="nowrap" gap="md">
                <Text size="sm" c="dimmed">
                  {label}
                </Text>
                <Text size="sm" component="div" ta="end">
                  {render(row)}
                </Text>
              </Group>
            ))}
          </Stack>
        </Box>
      ))}
    </ul>
  );
}

interface OfRow<Row> extends Props<Row> {
  row: Row;
}

function RowName<Row>({ row, columns, to, onOpen, rowName }: OfRow<Row>) {
  const { id } = useStore();
  const name = columns[0].render(row);
  if (to) {
    return (
      <Link {...target(id, to(row))} className="row-link" aria-label={rowName?.(row)}>
        {name}
      </Link>
    );
  }
  if (onOpen) {
    return (
      <Box
        component="button"
        type="button"
        className="row-link row-button"
        aria-label={rowName?.(row)}
        onClick={() => onOpen(row)}
      >
        {name}
      </Box>
    );
  }
  return (
    <Text size="sm" fw={600} component="span">
      {name}
    </Text>
  );
}

function Selector<Row>({ row, rowKey, rowName, selected, onSelect }: OfRow<Row>) {
  const key = rowKey(row);
  const toggle = () => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect!(next);
  };
  return (
    <Checkbox
      className="above"
      aria-label={words.common.select(rowName?.(row) ?? key)}
      checked={selected!.has(key)}
      onChange={toggle}
    />
  );
}
