import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import type { Output } from '../../api/client';
import { useRow } from '../../api/queries';
import { Failure, FormFailure } from '../../parts/failure';
import { Form } from '../../parts/forms/form';
import { LoadingBlock } from '../../parts/states';
import { itemInWords } from '../../api/in-words';
import { words } from '../../words';

const NAMES = ['sku', 'barcode'] as const;
/** What update_products takes at most. */
const MOST = 100;

type CodesOf = Record<(typeof NAMES)[number], string | null>;
interface Coded extends CodesOf {
  id: string;
  name: string;
}

type Found = Output<'find_products'>['items'][number];

/** The codes of a product and its variants, by which other systems and scanners know them. */
export function ProductCodes({ id, updatedAt }: Pick<Found, 'id' | 'updatedAt'>) {
  // get_product has no codes. Only what was changed at the same moment stands before it in this list.
  const input = { updatedFrom: updatedAt, sort: 'least_recently_updated' } as const;
  const { data, error, refetch } = useRow('find_products', input, id);
  if (data) return <Codes product={data} />;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <LoadingBlock lines={2} />;
}

function Codes({ product }: { product: Found }) {
  const { id, title, variants } = product;
  const rows: Coded[] = [{ ...product, name: title }, ...variants];
  const [typed, setTyped] = useState<Record<string, Partial<Record<keyof CodesOf, string>>>>({});
  const change = useChange('update_products', {
    done: ({ failed }) => (failed > 0 ? undefined : words.common.saved),
    onDone: ({ failed }) => failed === 0 && setTyped({}),
    refusals: 'form',
  });
  const edited = rows.flatMap((row) => {
    const codes = Object.entries(typed[row.id] ?? {})
      .map(([name, text]) => [name as keyof CodesOf, text || null] as const)
      .filter(([name, code]) => code !== row[name]);
    return codes.length === 0 ? [] : [[row.id, Object.fromEntries(codes)] as const];
  });
  const submit = () => {
    const own = edited.find(([of]) => of === id)?.[1];
    const others = edited.filter(([of]) => of !== id).map(([of, codes]) => ({ id: of, ...codes }));
    void change.make({ items: [{ id, ...own, ...(others.length > 0 ? { variants: others } : {}) }] });
  };
  const error = change.data?.items[0].error;
  return (
    <Form
      values={typed}
      isDirty={edited.length > 0}
      change={change}
      submit={{ label: words.products.setCodes, disabled: edited.length === 0 }}
      onSubmit={submit}
    >
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
                    value={typed[row.id]?.[name] ?? row[name] ?? ''}
                    onChange={({ currentTarget: { value } }) =>
                      setTyped((all) => ({ ...all, [row.id]: { ...all[row.id], [name]: value } }))
                    }
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
