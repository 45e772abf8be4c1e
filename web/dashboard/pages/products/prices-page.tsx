import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useSearch } from '../../address';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { MoreButton } from '../../parts/lists/more-button';
import { Form } from '../../parts/forms/form';
import { Empty, LoadingRows, PageHead } from '../../parts/states';
import { number } from '../../parts/values/format';
import { language } from '../../words';
import { words } from '../../words/all';
import { filtersOf } from './filters';
import { editsOf, hasUnreadable, type Line, linesOf, refreshed, type Typed, withTyped } from './sheet/lines';
import { type PercentChange, typedByPercent } from './sheet/percent';
import { PercentDialog } from './sheet/percent-dialog';
import { ReviewDialog, type Saved } from './sheet/review-dialog';
import { Sheet } from './sheet/sheet';

const NO_CHANGE = { isPending: false, error: null };

/** Prices and stock of the products that match the address's filters. */
export default function PricesPage() {
  const [search] = useSearch();
  const query = usePages('find_products', { ...filtersOf(search), take: 100 });
  const [lines, setLines] = useState<Line[]>([]);
  const fresh = refreshed(lines, linesOf(query.rows));
  if (fresh !== lines) setLines(fresh);
  return (
    <Stack>
      <PageHead title={words.pages.prices} hint={words.products.pricesHint} />
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <LoadingRows />}
      {query.isSuccess && lines.length === 0 && <Empty title={words.common.nothingFound} />}
      {lines.length > 0 && <Typing lines={lines} reread={() => query.refetch()} />}
      <MoreButton query={query} mx="auto" />
    </Stack>
  );
}

/** What is typed of the lines. It is kept by the line's id, so fresh values never replace it. */
function useTyped(lines: Line[], reread: () => Promise<unknown>) {
  const { currencyDecimals: decimals } = useStore();
  const writing = { decimals, language };
  const [typed, setTyped] = useState<Typed>({});
  const [errors, setErrors] = useState<Saved['errors']>({});
  const type = useCallback((more: Typed) => setTyped((before) => withTyped(before, more)), []);
  const change = (chosen: Line[], by: PercentChange) =>
    type(
      typedByPercent(chosen, typed, by, writing, (value) =>
        number(value, { maximumFractionDigits: decimals }),
      ),
    );
  /** What is saved is typed no longer, once it is shown. */
  const saved = async ({ edits, errors: refusals }: Saved) => {
    await reread();
    setErrors(refusals);
    setTyped((before) => {
      const left = structuredClone(before);
      for (const { line, column } of edits) if (!(line.id in refusals)) delete left[line.id]?.[column];
      return left;
    });
  };
  const edits = editsOf(lines, typed, writing);
  const isDirty = edits.length > 0 || hasUnreadable(typed, writing);
  return { typed, errors, edits, isDirty, type, change, saved };
}

function Typing({ lines, reread }: { lines: Line[]; reread: () => Promise<unknown> }) {
  const { products } = words;
  const { typed, errors, edits, isDirty, type, change, saved } = useTyped(lines, reread);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [left, setLeft] = useState(0);
  const [dialog, setDialog] = useState<'percent' | 'review'>();
  const close = () => setDialog(undefined);
  const failed = Object.keys(errors).length;
  return (
    <>
      <Form
        values={typed}
        isDirty={isDirty}
        change={NO_CHANGE}
        onSubmit={() => {
          if (edits.length === 0) return;
          // Orders and other people have changed stock and prices since.
          void reread();
          setDialog('review');
        }}
      >
        {failed > 0 && (
          <Alert color="red" role="alert">
            {products.notSaved(failed)}
          </Alert>
        )}
        <div className="surface">
          <Sheet {...{ lines, typed, errors, chosen }} onTyped={type} onChosen={setChosen} onLeft={setLeft} />
        </div>
        <Group className="surface bulk-bar" role="group" aria-label={words.common.actions} gap="xs" p="xs">
          <Text size="sm" role="status" px="xs">
            {left > 0 ? products.noPlace(left) : products.changes(edits.length)}
          </Text>
          <Button variant="default" disabled={chosen.size === 0} onClick={() => setDialog('percent')}>
            {products.byPercent}
          </Button>
          <Button type="submit" disabled={edits.length === 0}>
            {products.review}
          </Button>
        </Group>
      </Form>
      {dialog === 'percent' && (
        <PercentDialog
          count={chosen.size}
          onClose={close}
          onApply={(by) => {
            change(
              lines.filter(({ id }) => chosen.has(id)),
              by,
            );
            close();
          }}
        />
      )}
      {dialog === 'review' && (
        <ReviewDialog
          edits={edits}
          onClose={close}
          onSaved={(of, isAll) => void saved(of).then(() => isAll && close())}
        />
      )}
    </>
  );
}
