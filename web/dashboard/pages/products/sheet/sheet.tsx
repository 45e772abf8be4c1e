import './sheet.css';
import { type ClipboardEvent, type KeyboardEvent, memo, useCallback, useRef } from 'react';
import { useStore } from '../../../api/store';
import { number } from '../../../parts/values/format';
import { language } from '../../../words';
import { words } from '../../../words/all';
import { type Column, COLUMNS, laid, type Line, pastedBlock, readCell, type Typed } from './lines';

const nameOf = (column: Column) =>
  ({
    price: words.products.price,
    salePrice: words.products.salePrice,
    itemAmount: words.products.stock,
  })[column];

interface Props {
  lines: Line[];
  typed: Typed;
  /** Why the service refused a line, by its id. */
  errors: Record<string, string>;
  chosen: ReadonlySet<string>;
  onTyped: (more: Typed) => void;
  onChosen: (ids: Set<string>) => void;
  /** Rows of a pasted block that found no line. */
  onLeft: (rows: number) => void;
}

const KEYS: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

/** The cell in the row above or below. */
function goOn(event: KeyboardEvent<HTMLInputElement>) {
  const by = KEYS[event.key];
  if (!by || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const row = event.currentTarget.closest('tr')!;
  const next = event.shiftKey || by < 0 ? row.previousElementSibling : row.nextElementSibling;
  const cell = next?.querySelector<HTMLInputElement>(`[data-column=${event.currentTarget.dataset.column}]`);
  cell?.focus();
  cell?.select();
}

/** Prices and stock of many lines, typed in place. A block that a spreadsheet has copied fills cells. */
export function Sheet({ lines, typed, errors, chosen, onTyped, onChosen, onLeft }: Props) {
  const all = lines.length > 0 && lines.every(({ id }) => chosen.has(id));
  const latest = useRef({ lines, chosen });
  latest.current = { lines, chosen };
  const paste = useCallback(
    (event: ClipboardEvent, id: string, column: Column) => {
      const block = pastedBlock(event.clipboardData.getData('text/plain'));
      if (!block) return;
      event.preventDefault();
      const { lines } = latest.current;
      const first = lines.findIndex((line) => line.id === id);
      const { typed: more, left } = laid(block, lines, first, column);
      onTyped(more);
      onLeft(left);
    },
    [onTyped, onLeft],
  );
  const choose = useCallback(
    (id: string) => {
      const next = new Set(latest.current.chosen);
      if (!next.delete(id)) next.add(id);
      onChosen(next);
    },
    [onChosen],
  );
  return (
    <table className="price-sheet">
      <thead>
        <tr>
          <th className="sheet-mark">
            <input
              type="checkbox"
              className="check"
              aria-label={words.common.selectAll}
              checked={all}
              onChange={() => onChosen(all ? new Set() : new Set(lines.map(({ id }) => id)))}
            />
          </th>
          <th className="sheet-name">{words.products.product}</th>
          {COLUMNS.map((column) => (
            <th key={column} className="sheet-value">
              {nameOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row
            key={line.id}
            line={line}
            typed={typed[line.id]}
            error={errors[line.id]}
            isChosen={chosen.has(line.id)}
            onTyped={onTyped}
            onPaste={paste}
            onChoose={choose}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  line: Line;
  typed: Typed[string] | undefined;
  error: string | undefined;
  isChosen: boolean;
  onTyped: (more: Typed) => void;
  onPaste: (event: ClipboardEvent, id: string, column: Column) => void;
  onChoose: (id: string) => void;
}

/** Drawn again only when it changes itself: there may be a thousand. */
const Row = memo(function Row({ line, typed, error, isChosen, onTyped, onPaste, onChoose }: RowProps) {
  const { id, name } = line;
  const { currencyDecimals: decimals } = useStore();
  const unreadable = COLUMNS.filter(
    (column) => valueOf(line, column, typed?.[column], decimals) === undefined,
  );
  return (
    <tr>
      <td className="sheet-mark">
        <input
          type="checkbox"
          className="check"
          aria-label={words.common.select(name)}
          checked={isChosen}
          onChange={() => onChoose(id)}
        />
      </td>
      <th scope="row" className="sheet-name">
        {name}
        {error && (
          <div className="sheet-error" id={`error-${id}`}>
            {error}
          </div>
        )}
        {unreadable.map((column) => (
          <div key={column} className="sheet-error" id={`unreadable-${column}-${id}`}>
            {`${nameOf(column)}: ${words.refusals.unreadable(column === 'itemAmount' ? 0 : decimals)}`}
          </div>
        ))}
      </th>
      {COLUMNS.map((column) => (
        <td key={column} className="sheet-value">
          <Cell
            {...{ line, column, error }}
            text={typed?.[column]}
            onText={(text) => onTyped({ [id]: { [column]: text } })}
            onPaste={(event) => onPaste(event, id, column)}
          />
        </td>
      ))}
    </tr>
  );
});

/** What a cell says: what is typed, or else what is stored; undefined if it cannot be read. */
const valueOf = (line: Line, column: Column, text: string | undefined, decimals: number) =>
  text === undefined ? line[column] : readCell(text, column, { decimals, language });

interface CellProps {
  line: Line;
  column: Column;
  text: string | undefined;
  error: string | undefined;
  onText: (text: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}

function Cell({ line, column, text, error, onText, onPaste }: CellProps) {
  const { currencyDecimals: decimals } = useStore();
  const stored = line[column];
  const value = valueOf(line, column, text, decimals);
  const isUnreadable = value === undefined;
  const isChanged = text !== undefined && value !== stored;
  return (
    <input
      className="sheet-cell"
      inputMode={column === 'itemAmount' ? 'numeric' : 'decimal'}
      autoComplete="off"
      aria-label={`${nameOf(column)}: ${line.name}`}
      aria-invalid={isUnreadable || (isChanged && error !== undefined)}
      aria-describedby={isUnreadable ? `unreadable-${column}-${line.id}` : error && `error-${line.id}`}
      data-column={column}
      data-changed={isChanged || undefined}
      data-unreadable={isUnreadable || undefined}
      value={text ?? (stored === null ? '' : number(stored, { maximumFractionDigits: decimals }))}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={goOn}
      onPaste={onPaste}
    />
  );
}
