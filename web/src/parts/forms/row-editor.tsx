import { ActionIcon, Box, Button, Group, Input, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../../words';
import { DownIcon, PlusIcon, TrashIcon, UpIcon } from '../icons';

interface Props<Row> {
  title: string;
  hint?: string;
  addLabel: string;
  rows: Row[];
  /** A row's name for screen readers. */
  nameOf: (row: Row, i: number) => string;
  make: () => Row;
  /** Draws the fields of one row. */
  render: (row: Row, change: (part: Partial<Row>) => void, i: number) => ReactNode;
  onChange: (rows: Row[]) => void;
  /** Whether the order of the rows matters. If so, they can be moved. */
  ordered?: boolean;
  /** The error of the list as a whole. */
  error?: string;
  /** Other controls that add rows, next to the button. */
  children?: ReactNode;
}

/**
 * A list inside a configuration form. Rows can be added, changed, moved and removed; they are saved only with
 * the form.
 */
export function RowEditor<Row>(props: Props<Row>) {
  const { title, hint, addLabel, rows, nameOf, make, render, onChange, ordered, error, children } = props;
  const replace = (i: number, part: Partial<Row>) =>
    onChange(rows.map((row, j) => (i === j ? { ...row, ...part } : row)));
  const move = (i: number, by: number) => {
    const moved = [...rows];
    moved.splice(i + by, 0, ...moved.splice(i, 1));
    onChange(moved);
  };
  return (
    <Stack gap="xs" role="group" aria-label={title}>
      <div>
        <Text fw={600} size="sm">
          {title}
        </Text>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      {rows.map((row, i) => (
        <Box key={i} className="surface" p="sm">
          <div className="row-editor">
            <Box miw={0}>{render(row, (part) => replace(i, part), i)}</Box>
            <Group gap={4} wrap="nowrap">
              {ordered && (
                <>
                  <Move up name={nameOf(row, i)} disabled={i === 0} onClick={() => move(i, -1)} />
                  <Move name={nameOf(row, i)} disabled={i === rows.length - 1} onClick={() => move(i, 1)} />
                </>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`${words.common.remove}: ${nameOf(row, i)}`}
                onClick={() => onChange(rows.filter((_, j) => j !== i))}
              >
                <TrashIcon />
              </ActionIcon>
            </Group>
          </div>
        </Box>
      ))}
      <Group>
        <Button
          variant="default"
          size="sm"
          leftSection={<PlusIcon size={16} />}
          onClick={() => onChange([...rows, make()])}
        >
          {addLabel}
        </Button>
        {children}
      </Group>
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}

/** Moves a row one place up or down. */
export function Move({
  up,
  name,
  disabled,
  onClick,
}: {
  up?: boolean;
  name: string;
  disabled: boolean;
  onClick: () => void;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      disabled={disabled}
      aria-label={`${up ? words.common.up : words.common.down}: ${name}`}
      onClick={onClick}
    >
      {up ? <UpIcon /> : <DownIcon />}
    </ActionIcon>
  );
}
