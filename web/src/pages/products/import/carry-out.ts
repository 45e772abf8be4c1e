import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ManyName, useBatches } from '../../../api/batches';
import { requestIdOf } from '../../../api/client';
import { itemInWords } from '../../../api/in-words';
import { useStore } from '../../../api/store';
import { type Made, undoAll } from '../../../api/undo';
import type { Plan } from './work';

const STEPS = ['created', 'products', 'prices', 'stocks'] as const;
type Left = Pick<Plan, (typeof STEPS)[number]>;

/** `price: ` of `items[0].price must be …` */
function fieldOf(message: string): string {
  const [, field] = /^items\[\d+\]\.(\w+) /.exec(message) ?? [];
  return field ? `${field}: ` : '';
}

/** What is said of all lines of an item. */
const linesOf = ({ line, others = [] }: { line: number; others?: number[] }, text: string) =>
  [line, ...others].map((of) => ({ line: of, text }));

/** Nothing is to be changed of a product that was not made. */
const without = (products: Plan['products'], refused: Plan['problems']) =>
  products.filter(({ line }) => refused.every((one) => one.line !== line));

/**
 * Carries a plan out, step by step. What was answered is not sent again, so that it goes on where it stopped
 * when a call was refused.
 */
export function useCarryOut(plan: Plan) {
  const store = useStore();
  const client = useQueryClient();
  const [made, setMade] = useState<Made[]>([]);
  const noted = (operation: ManyName) => ({
    onDone: (data: { updated: number }) => {
      if (data.updated === 0) return;
      setMade((before) => [...before, { operation, requestId: requestIdOf(data) }]);
    },
  });
  const calls = {
    created: useBatches('create_products', 100),
    products: useBatches('update_products', 100, noted('update_products')),
    prices: useBatches('update_prices', 200, noted('update_prices')),
    stocks: useBatches('update_stocks', 200, noted('update_stocks')),
  };
  const [left, setLeft] = useState<Left>(plan);
  const [failures, setFailures] = useState<Plan['problems']>([]);
  const isBusy = useRef(false);
  const run = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    let rest = left;
    for (const step of STEPS) {
      const work = rest[step];
      const make = calls[step].make as (items: object[]) => Promise<{ error?: { message: string } }[]>;
      const results = await make(work.map(({ item }) => item));
      const refused = results.flatMap(({ error }, i) =>
        error ? linesOf(work[i], `${fieldOf(error.message)}${itemInWords(error)}`) : [],
      );
      setFailures((before) => [...before, ...refused]);
      rest = { ...rest, [step]: work.slice(results.length) };
      if (step === 'created') rest = { ...rest, products: without(rest.products, refused) };
      setLeft(rest);
      if (results.length < work.length) break;
    }
    isBusy.current = false;
  };
  const all = Object.values(calls);
  const change = {
    isPending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error !== null)?.error ?? null,
  };
  /** Takes back what was changed; what was created stays. */
  const undo = async () => {
    const stays = await undoAll(store.id, made);
    void client.invalidateQueries({ queryKey: [store.id] });
    setMade(stays.map((one) => one.made).toReversed());
    if (stays.length > 0) throw stays[0].error;
  };
  const isLeft = STEPS.some((step) => left[step].length > 0);
  return { run, undo: made.length > 0 ? undo : undefined, change, failures, isLeft };
}
