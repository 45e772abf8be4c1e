import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change';
import type { Input } from '../../../api/client';
import { itemInWords } from '../../../api/telling/in-words';
import { FormFailure } from '../../../parts/failure';
import { Form } from '../../../parts/forms/form';
import { localTime, utcTime, withZone } from '../../../parts/values/time-zone';
import { words } from '../../../words/all';

interface InputProps {
  value: string | null;
  onChange: (value: string | null) => void;
}

/** When a sale ends, in the store's time zone. */
export const SaleEndInput = ({ value, onChange }: InputProps) => (
  <TextInput
    label={words.products.saleUntil}
    description={withZone(words.products.saleUntilHint)}
    type="datetime-local"
    value={localTime(value)}
    onChange={({ currentTarget }) => onChange(utcTime(currentTarget.value))}
  />
);

interface Props extends Pick<Input<'update_prices'>['items'][number], 'productId' | 'variantId'> {
  saleUntil: string | null;
}

/** The end of the sale of a product or variant, which its own form does not take. */
export function SaleEnd({ productId, variantId, saleUntil }: Props) {
  const [typed, setTyped] = useState<string | null>();
  const change = useChange('update_prices', {
    done: ({ failed }) => (failed > 0 ? undefined : words.common.saved),
    onDone: ({ failed }) => failed === 0 && setTyped(undefined),
    refusals: 'form',
  });
  const value = typed === undefined ? saleUntil : typed;
  const isDirty = localTime(value) !== localTime(saleUntil);
  const error = change.data?.items[0].error;
  return (
    <Form
      values={{ value }}
      isDirty={isDirty}
      change={change}
      submit={{ label: words.products.setSaleUntil, disabled: !isDirty }}
      onSubmit={() => void change.make({ items: [{ productId, variantId, saleUntil: value }] })}
    >
      {error && <FormFailure text={itemInWords(error)} error={null} />}
      <SaleEndInput value={value} onChange={setTyped} />
    </Form>
  );
}
