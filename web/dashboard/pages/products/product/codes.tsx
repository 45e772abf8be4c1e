import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change';
import type { Output } from '../../../api/client';
import { useRow } from '../../../api/queries';
import { Failure, FormFailure } from '../../../parts/failure';
import { Form } from '../../../parts/forms/form';
import { LoadingBlock } from '../../../parts/states';
import { asText } from '../../../parts/values/format';
import { notifyFailed } from '../../../notify';
import { itemInWords } from '../../../api/telling/in-words';
import { words } from '../../../words/all';

const NAMES = ['sku', 'barcode'] as const;
/** What update_products takes at most. */
const MOST = 100;

type CodesOf = Record<(typeof NAMES)[number], string | null>;
interface Coded extends CodesOf {
  id: string;
  name: string;
}

/** A code as typed, and the stored one that was there when it was typed. */
interface Typed {
  text: string;
  from: string | null;
  /** The code of somebody else, by which it was to be replaced. */
  theirs?: string | null;
}
type TypedCodes = Partial<Record<keyof CodesOf, Typed>>;

type Found = Output<'find_products'>['items'][number];

/** The codes of a product and its variants, by which other systems and scanners know them. */
export function ProductCodes({ id, updatedAt }: Pick<Found, 'id' | 'updatedAt'>) {
  // get_product has no codes. Only what was changed at the same moment stands before it in this list.
  const input = { updatedFrom: updatedAt, sort: 'least_recently_updated' } as const;
  const { data, error, refetch } = useRow('find_products', input, id);
  const reread = async () => (await refetch({ throwOnError: true })).data ?? null;
  if (data) return <Codes product={data} reread={reread} />;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <LoadingBlock lines={2} />;
}

const saidOf = (code?: Typed) =>
  code?.theirs !== undefined && `${words.conflict.theirs}: ${asText(code.theirs)}`;

const rowsOf = (product: Found): Coded[] => [{ ...product, name: product.title }, ...product.variants];

/** Notes the codes that somebody else has changed since they were typed here; null if there are none. */
function contested(typed: Record<string, TypedCodes>, fresh: Found): typeof typed | null {
  const noted = { ...typed };
  for (const row of rowsOf(fresh)) {
    for (const name of NAMES) {
      const code = typed[row.id]?.[name];
      if (!code || row[name] === code.from || row[name] === (code.text || null)) continue;
      noted[row.id] = { ...noted[row.id], [name]: { ...code, from: row[name], theirs: row[name] } };
    }
  }
  return Object.keys(noted).some((id) => noted[id] !== typed[id]) ? noted : null;
}

function Codes({ product, reread }: { product: Found; reread: () => Promise<Found | null> }) {
  const { id } = product;
  const rows = rowsOf(product);
  const [typed, setTyped] = useState<Record<string, TypedCodes>>({});
  const [isContested, setContested] = useState(false);
  const change = useChange('update_products', {
    done: ({ failed }) => (failed > 0 ? undefined : words.common.saved),
    onDone: ({ failed }) => failed === 0 && setTyped({}),
    refusals: 'form',
  });
  const edited = rows.flatMap((row) => {
    const codes = Object.entries(typed[row.id] ?? {})
      .map(([name, { text }]) => [name as keyof CodesOf, text || null] as const)
      .filter(([name, code]) => code !== row[name]);
    return codes.length === 0 ? [] : [[row.id, Object.fromEntries(codes)] as const];
  });
  const submit = async () => {
    // The operation compares no versions, so that the last one would win without a word.
    const fresh = await reread();
    const noted = fresh && contested(typed, fresh);
    setContested(noted !== null);
    if (noted) return setTyped(noted);
    const own = edited.find(([of]) => of === id)?.[1];
    const others = edited.filter(([of]) => of !== id).map(([of, codes]) => ({ id: of, ...codes }));
    await change.make({ items: [{ id, ...own, ...(others.length > 0 ? { variants: others } : {}) }] });
  };
  const type = (row: Coded, name: keyof CodesOf, text: string) =>
    setTyped((all) => {
      const { from } = all[row.id]?.[name] ?? { from: row[name] };
      return { ...all, [row.id]: { ...all[row.id], [name]: { text, from } } };
    });
  const error = change.data?.items[0].error;
  return (
    <Form
      values={typed}
      isDirty={edited.length > 0}
      change={change}
      submit={{ label: words.products.setCodes, disabled: edited.length === 0 }}
      onSubmit={() => void submit().catch(notifyFailed)}
    >
      {isContested && <FormFailure text={words.conflict.title} error={null} />}
      {error && <FormFailure text={itemInWords(error)} error={null} />}
      <table className="table codes">
        <thead>
          <tr>
            <th>{words.products.variant}</th>
            {NAMES.map((name) => (
              <th key={name}>{words.products[name]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="name">{row.name}</td>
              {NAMES.map((name) => (
                <td key={name}>
                  <TextInput
                    aria-label={`${words.products[name]}: ${row.name}`}
                    maxLength={MOST}
                    value={typed[row.id]?.[name]?.text ?? row[name] ?? ''}
                    error={saidOf(typed[row.id]?.[name])}
                    onChange={({ currentTarget: { value } }) => type(row, name, value)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Form>
  );
}
