import './inputs.css';
import { ActionIcon, Box, Button, Group, Input, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { words } from '../../words';
import { DownIcon, GripIcon, PlusIcon, TrashIcon, UpIcon } from '../icons';
import { ListTitle } from './tiles';
import { useRowDrag } from './row-drag';

interface Props<Row> {
  title: string;
  hint?: string;
  /** Whether the list needs a row. */
  required?: boolean;
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
  /** Whether the rows are tiles side by side. */
  isTiled?: boolean;
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
  const { title, hint, addLabel, rows, make, render, onChange, ordered, isTiled, ...rest } = props;
  const { required, error, children } = rest;
  const drag = useRowDrag((from, to) => onChange(moved(rows, from, to - from)));
  const { list, noteAdded } = useFocusOfAdded(rows.length);
  const add = () => {
    noteAdded();
    onChange([...rows, make()]);
  };
  const replace = (i: number, part: Partial<Row>) =>
    onChange(rows.map((row, j) => (i === j ? { ...row, ...part } : row)));
  return (
    <Stack gap="xs" role="group" aria-label={title} ref={list}>
      <ListTitle {...{ title, hint, required }} />
      <div className={isTiled ? 'rows tiles' : 'rows'}>
        {rows.map((row, i) => (
          <Box key={i} className="surface row-editor" p={isTiled ? 4 : 'sm'} {...drag.row(i)}>
            <Box miw={0}>{render(row, (part) => replace(i, part), i)}</Box>
            <Group gap={isTiled ? 0 : 4} wrap="nowrap">
              {ordered && rows.length > 1 && (
                <span className="grip" {...drag.handle(i)}>
                  <GripIcon />
                </span>
              )}
              <RowButtons {...props} i={i} />
            </Group>
          </Box>
        ))}
      </div>
      <Group>
        <Button variant="default" size="sm" leftSection={<PlusIcon size={16} />} onClick={add}>
          {addLabel}
        </Button>
        {children}
      </Group>
      {error && (
        <Input.Error role="alert" tabIndex={-1}>
          {error}
        </Input.Error>
      )}
    </Stack>
  );
}

/** The first input of a row that was added gets the focus. */
function useFocusOfAdded(count: number) {
  const list = useRef<HTMLDivElement>(null);
  const isAdded = useRef(false);
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    const row = list.current!.querySelectorAll(':scope > .rows > .row-editor').item(count - 1);
    row.querySelector<HTMLElement>('input:not([type=file], [type=hidden]), textarea, select')?.focus();
  }, [count]);
  return { list, noteAdded: () => void (isAdded.current = true) };
}

function RowButtons<Row>({ rows, i, nameOf, ordered, onChange }: Props<Row> & { i: number }) {
  const name = nameOf(rows[i], i);
  return (
    <>
      {ordered && (
        <Moves name={name} i={i} count={rows.length} onMove={(by) => onChange(moved(rows, i, by))} />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`${words.common.remove}: ${name}`}
        onClick={() => onChange(rows.filter((_, j) => j !== i))}
      >
        <TrashIcon />
      </ActionIcon>
    </>
  );
}

export function moved<Row>(rows: Row[], i: number, by: number): Row[] {
  const others = rows.toSpliced(i, 1);
  return others.toSpliced(i + by, 0, rows[i]);
}

interface MovesProps {
  name: string;
  /** The place of the row among `count` rows. */
  i: number;
  count: number;
  disabled?: boolean;
  onMove: (by: 1 | -1) => void;
}

/** Buttons that move a row one place up or down. */
export function Moves({ name, i, count, disabled, onMove }: MovesProps) {
  const icon = { variant: 'subtle', color: 'gray' };
  return (
    <>
      <ActionIcon
        {...icon}
        className="move"
        disabled={disabled || i === 0}
        aria-label={`${words.common.up}: ${name}`}
        onClick={() => onMove(-1)}
      >
        <UpIcon />
      </ActionIcon>
      <ActionIcon
        {...icon}
        className="move"
        disabled={disabled || i === count - 1}
        aria-label={`${words.common.down}: ${name}`}
        onClick={() => onMove(1)}
      >
        <DownIcon />
      </ActionIcon>
    </>
  );
}
