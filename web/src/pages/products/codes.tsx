import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import type { Output } from '../../api/client';
import { FormFailure } from '../../parts/failure';
import { Form } from '../../parts/forms/form';
import { words } from '../../words';

const NAMES = ['sku', 'barcode'] as const;
/** What update_products takes at most. */
const MOST = 100;

type Codes = Record<(typeof NAMES)[number], string | null>;
interface Coded extends Codes {
  id: string;
  name: string;
}

/** The codes of a product and its variants, by which other systems and scanners know them. */
export function ProductCodes({ product }: { product: Output<'get_product'> }) {
  const { id, title, variants } = product;
  const values = variants.flatMap(({ optionTitle, values: all }) =>
    all.map((value) => ({ ...value, name: `${optionTitle}: ${value.variantValue}` })),
  );
  const rows: Coded[] = [{ ...product, name: title }, ...values];
  const [typed, setTyped] = useState<Record<string, Partial<Record<keyof Codes, string>>>>({});
  const change = useChange('update_products', {
    done: ({ failed }) => (failed > 0 ? undefined : words.common.saved),
    onDone: ({ failed }) => failed === 0 && setTyped({}),
    refusals: 'form',
  });
  const edited = rows.flatMap((row) => {
    const codes = Object.entries(typed[row.id] ?? {})
      .map(([name, text]) => [name as keyof Codes, text || null] as const)
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
      submit={{ label: words.common.save, disabled: edited.length === 0 }}
      onSubmit={submit}
    >
      {error && <FormFailure text={error.message} error={null} />}
      <table className="table">
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
              <td>{row.name}</td>
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
