import { Checkbox, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { target } from '../../address';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { Failure } from '../failure';
import { useIsPhone } from '../../phone';
import { Soon } from '../deferred';
import { Pictured } from '../values/pictures';
import { MoreButton, type Pages } from './more-button';
import { usePlace } from './place';
import { Empty, LoadingRows } from '../states';

export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  align?: 'end';
  /** A few words that stand on one line; what is longer than that is cut. */
  isShort?: boolean;
  /** For the first column: the address of a picture in front of the name. */
  picture?: (row: Row) => string | undefined;
  /** For the first column: what stands below the name. */
  below?: (row: Row) => ReactNode;
  /** Left out on cards, and in a table on a small screen beside the menu: they have little room. */
  wideOnly?: boolean;
  /**
   * What says itself what it is needs no label on a card: it is at the end of the name's line, in the line
   * below, or among the badges. Everything else has a line with its label.
   */
  onCard?: 'head' | 'line' | 'badge';
}

/** The return value of `usePages` and `useList`. */
export interface Rows<Row> extends Pages {
  rows: Row[];
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
}

interface Props<Row> {
  query: Rows<Row>;
  /** The first column is the row's name and its link. */
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** The row's name for screen readers, if the first column is not text. */
  rowName?: (row: Row) => string;
  /** The address to which a row leads, below the store's. */
  to?: (row: Row) => string;
  /** Called instead if a row opens something on the same page. */
  onOpen?: (row: Row) => void;
  /** Buttons or a menu at the end of a row. */
  actions?: (row: Row) => ReactNode;
  selected?: ReadonlySet<string>;
  onSelect?: (keys: Set<string>) => void;
  empty: { title: string; hint?: string; action?: ReactNode };
}

/**
 * A list of records, as a table or on phones as cards, with a button that loads the next page. Rows are plain
 * elements with classes of lists.css, because a library component for each of several hundred cells would be
 * most of the cost of a page's first rendering.
 */
export function DataList<Row>(props: Props<Row>) {
  const { query } = props;
  const failed = query.error !== null && query.rows.length === 0;
  // Rows that "back" finds again are drawn at once, so that the page is as high as it was.
  const [isKnown] = useState(!query.isPending);
  const loading = (
    <div className="surface clipped">
      <LoadingRows />
    </div>
  );
  const records = (
    <>
      {!failed && <Records {...props} />}
      <MoreButton query={query} mx="auto" />
    </>
  );
  return (
    <Stack gap="md">
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && loading}
      {!query.isPending && (isKnown ? records : <Soon fallback={loading}>{records}</Soon>)}
    </Stack>
  );
}

function Records<Row>(props: Props<Row>) {
  const { query, empty } = props;
  const isPhone = useIsPhone();
  const rows = isPhone ? <Cards {...props} /> : <Wide {...props} />;
  return (
    <div className="surface clipped" {...usePlace()}>
      {query.rows.length > 0 ? (
        rows
      ) : (
        <Empty title={empty.title} action={empty.action}>
          {empty.hint}
        </Empty>
      )}
    </div>
  );
}

const classOf = <Row,>({ align, wideOnly }: Column<Row>, more?: string | false) =>
  [align, wideOnly && 'wide', more].filter(Boolean).join(' ');

function Wide<Row>(props: Props<Row>) {
  const { query, columns, rowKey, actions, selected } = props;
  return (
    <div className="list-scroll">
      <table className="list">
        <Head {...props} />
        <tbody>
          {query.rows.map((row) => (
            <tr key={rowKey(row)} className="row">
              {selected && (
                <td>
                  <Selector {...props} row={row} />
                </td>
              )}
              {columns.map((column, i) => (
                <td key={column.key} className={classOf(column, column.isShort && 'short')}>
                  {i === 0 ? <Name {...props} row={row} /> : column.render(row)}
                </td>
              ))}
              {actions && (
                <td className="end act">
                  <span className="above">{actions(row)}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ query, columns, rowKey, actions, selected, onSelect }: Props<Row>) {
  const keys = query.rows.map(rowKey);
  const all = selected !== undefined && keys.every((key) => selected.has(key));
  return (
    <thead>
      <tr>
        {selected && (
          <th className="list-select">
            <Checkbox
              aria-label={words.common.selectAll}
              checked={all}
              indeterminate={!all && selected.size > 0}
              onChange={() => onSelect!(all ? new Set() : new Set(keys))}
            />
          </th>
        )}
        {columns.map((column) => (
          <th key={column.key} className={classOf(column)}>
            {column.label}
          </th>
        ))}
        {actions && (
          <th className="act">
            <span className="skip">{words.common.actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function Cards<Row>(props: Props<Row>) {
  const { query, columns, rowKey, actions, selected } = props;
  const [, ...others] = columns.filter(({ wideOnly }) => !wideOnly);
  const at = (place: Column<Row>['onCard']) => others.filter(({ onCard }) => onCard === place);
  return (
    <ul className="plain-list">
      {query.rows.map((row) => (
        <li key={rowKey(row)} className="row card-row">
          <div className="card-head">
            <div className="card-name">
              {selected && <Selector {...props} row={row} />}
              <Name {...props} row={row} />
            </div>
            <Values className="card-end" columns={at('head')} row={row} />
            {actions && <span className="above">{actions(row)}</span>}
          </div>
          <Values className="card-line" columns={at('line')} row={row} />
          <Values className="card-badges" columns={at('badge')} row={row} />
          <Values className="card-values" columns={at(undefined)} row={row} isLabelled />
        </li>
      ))}
    </ul>
  );
}

interface ValuesProps<Row> {
  className: string;
  columns: Column<Row>[];
  row: Row;
  /** Otherwise only screen readers have the labels. */
  isLabelled?: boolean;
}

function Values<Row>({ className, columns, row, isLabelled }: ValuesProps<Row>) {
  if (columns.length === 0) return null;
  return (
    <dl className={className}>
      {columns.map(({ key, label, render }) => (
        <div key={key}>
          <dt className={isLabelled ? undefined : 'skip'}>{label}</dt>
          <dd>{render(row)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface OfRow<Row> extends Props<Row> {
  row: Row;
}

function Name<Row>(props: OfRow<Row>) {
  const { row, columns } = props;
  const [{ picture, below }] = columns;
  const name = (
    <div>
      <RowName {...props} />
      {below && <div className="row-below">{below(row)}</div>}
    </div>
  );
  return picture ? <Pictured url={picture(row)}>{name}</Pictured> : name;
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
      <button
        type="button"
        className="row-link row-button"
        aria-label={rowName?.(row)}
        onClick={() => onOpen(row)}
      >
        {name}
      </button>
    );
  }
  return <span className="row-name">{name}</span>;
}

function Selector<Row>({ row, rowKey, rowName, selected, onSelect }: OfRow<Row>) {
  const key = rowKey(row);
  const toggle = () => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect!(next);
  };
  return (
    <input
      type="checkbox"
      className="above check"
      aria-label={words.common.select(rowName?.(row) ?? key)}
      checked={selected!.has(key)}
      onChange={toggle}
    />
  );
}
