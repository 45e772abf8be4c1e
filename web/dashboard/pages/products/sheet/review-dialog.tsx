import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ResultOf, useBatches } from '../../../api/batches';
import { warningsOf } from '../../../api/change';
import { ask } from '../../../api/client';
import { inWords, itemInWords } from '../../../api/telling/in-words';
import { useStore } from '../../../api/store';
import { Warnings } from '../../../notify';
import { Dialog } from '../../../parts/dialog';
import { Form } from '../../../parts/forms/form';
import { LoadingRows } from '../../../parts/states';
import { Money } from '../../../parts/values/values';
import { words } from '../../../words/all';
import type { Edit, Line } from './lines';
import { SaleEndInput } from './sale-end';

/** What update_prices and update_stocks take at most. */
const MOST = 200;
type Priced = ResultOf<'update_prices'>;

/** The lines with an edit of these columns, each with its edits. */
function grouped(edits: Edit[], isOf: (edit: Edit) => boolean): { line: Line; edits: Edit[] }[] {
  const lines = [...new Set(edits.filter(isOf).map(({ line }) => line))];
  return lines.map((line) => ({ line, edits: edits.filter((edit) => edit.line === line && isOf(edit)) }));
}

type Group = ReturnType<typeof grouped>[number];

/** Whether a sale begins, or gets another price. */
const isSale = ({ column, after }: Edit) => column === 'salePrice' && after !== null;

/** @param saleUntil when the sales end that the edits make */
const priceOf = ({ line: { productId, variantId }, edits }: Group, saleUntil: string | null) => ({
  ...{ productId, variantId },
  ...Object.fromEntries(edits.map(({ column, after }) => [column, after])),
  ...(edits.some(isSale) && { saleUntil }),
});
const stockOf = ({ line: { productId, variantId }, edits: [{ after }] }: Group) => ({
  ...{ productId, variantId },
  absolute: after!,
});

/** Edits that the service has answered, with its refusals by the line's id. */
export interface Saved {
  edits: Edit[];
  errors: Record<string, string>;
}

interface Props {
  edits: Edit[];
  onSaved: (saved: Saved, isAll: boolean) => void;
  onClose: () => void;
}

/** Shows what will change, also what the service will refuse, and then changes it. */
export function ReviewDialog({ edits, onSaved, onClose }: Props) {
  const { products } = words;
  const { id } = useStore();
  const [saleUntil, setSaleUntil] = useState<string | null>(null);
  const priced = grouped(edits, ({ column }) => column !== 'itemAmount');
  const items = priced.map((group) => priceOf(group, saleUntil));
  const stocked = grouped(edits, ({ column }) => column === 'itemAmount');
  const prices = useBatches('update_prices', MOST, {
    hasWarned: true,
    done: ({ updated }) => (updated > 0 ? products.pricesSaved(updated) : undefined),
  });
  const stocks = useBatches('update_stocks', MOST, {
    done: ({ updated }) => (updated > 0 ? products.stocksSaved(updated) : undefined),
  });
  const isBusy = useRef(false);
  const save = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    const results = await prices.make(items);
    const amounts = results.length < priced.length ? [] : await stocks.make(stocked.map(stockOf));
    isBusy.current = false;
    const answered = [...priced.slice(0, results.length), ...stocked.slice(0, amounts.length)];
    const errors = [...results, ...amounts].flatMap(({ error }, i) =>
      error ? [[answered[i].line.id, itemInWords(error)]] : [],
    );
    onSaved(
      { edits: answered.flatMap((of) => of.edits), errors: Object.fromEntries(errors) as Saved['errors'] },
      answered.length === priced.length + stocked.length,
    );
  };
  const preview = useQuery({
    // Does not begin with the store, so that the change itself does not read it again.
    queryKey: ['preview of prices', id, items],
    gcTime: 0,
    queryFn: () => previewed(id, items),
    enabled: priced.length > 0,
  });
  const noted = new Map(priced.map(({ line }, i) => [line.id, preview.data?.[i]]));
  const change = {
    isPending: prices.isPending || stocks.isPending,
    error: prices.error ?? stocks.error,
  };
  return (
    <Dialog title={products.reviewTitle} onClose={onClose} size="lg">
      <Form
        values={{}}
        change={change}
        submit={{ label: products.saveChanges(edits.length) }}
        onSubmit={() => void save()}
        onCancel={onClose}
      >
        {preview.isFetching && <LoadingRows count={1} />}
        {preview.error && <Text c="var(--red)">{inWords(preview.error)}</Text>}
        {edits.some(isSale) && <SaleEndInput value={saleUntil} onChange={setSaleUntil} />}
        <Changes edits={edits} noted={noted} />
      </Form>
    </Dialog>
  );
}

/** What update_prices would answer. */
async function previewed(storeId: string, items: ReturnType<typeof priceOf>[]): Promise<Priced[]> {
  const parts = Array.from({ length: Math.ceil(items.length / MOST) }, (_, i) =>
    items.slice(i * MOST, (i + 1) * MOST),
  );
  const answers = await Promise.all(
    parts.map((part) => ask(storeId, 'update_prices', { items: part, preview: true })),
  );
  return answers.flatMap((answer) => answer.items);
}

function Changes({ edits, noted }: { edits: Edit[]; noted: Map<string, Priced | undefined> }) {
  const notes = new Set<string>();
  return (
    <div className="list-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>{words.products.product}</th>
            <th className="end">{words.audit.before}</th>
            <th className="end">{words.audit.after}</th>
          </tr>
        </thead>
        <tbody>
          {edits.map(({ line, column, after }) => {
            const isFirst = !notes.has(line.id);
            notes.add(line.id);
            return (
              <tr key={`${line.id} ${column}`}>
                <th scope="row">
                  <Text size="sm" fw={400} style={{ overflowWrap: 'anywhere' }}>
                    {line.name}
                    {column === 'salePrice' && ` (${words.products.salePrice})`}
                    {column === 'itemAmount' && ` (${words.products.stock})`}
                  </Text>
                  {isFirst && <Notes of={noted.get(line.id)} />}
                </th>
                <td className="end">
                  <Value column={column} value={line[column]} />
                </td>
                <td className="end">
                  <Value column={column} value={after} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Notes({ of }: { of: Priced | undefined }) {
  return (
    <Text size="sm" component="div" c={of?.error ? 'var(--red)' : 'var(--amber)'}>
      {of?.error ? itemInWords(of.error) : <Warnings all={warningsOf(of)} />}
    </Text>
  );
}

function Value({ column, value }: { column: Edit['column']; value: number | null }) {
  return column === 'itemAmount' ? (value ?? '–') : <Money major={value} />;
}
