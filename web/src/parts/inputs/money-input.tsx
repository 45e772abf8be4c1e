import { NumberInput, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useStore } from '../../api/store';
import { minorAmounts, toMinor } from './amounts';

interface Props {
  label: string;
  description?: string;
  value: number | null | undefined;
  /**
   * Whether the value is in minor units, which orders use, or in major units, which products use. People
   * always type major units.
   */
  minor?: boolean;
  required?: boolean;
  error?: string;
  onChange: (value: number | null) => void;
}

/** An input for an amount in the store's currency, with its number of decimals. An empty input is null. */
export function MoneyInput({ value, minor, onChange, ...field }: Props) {
  const { currency, currencyDecimals } = useStore();
  const shown = value === null || value === undefined ? '' : minor ? value / 10 ** currencyDecimals : value;
  // The text stays as it was typed, so that 20.0 can become 20.05.
  const [typed, setTyped] = useState<number | string>(shown);
  const change = (text: number | string) => {
    setTyped(text);
    onChange(text === '' ? null : minor ? toMinor(Number(text), currencyDecimals) : Number(text));
  };
  return (
    <NumberInput
      {...field}
      value={typed !== '' && Number(typed) === shown ? typed : shown}
      decimalScale={currencyDecimals}
      min={0}
      clampBehavior="none"
      rightSectionWidth={52}
      rightSection={currency}
      onChange={change}
    />
  );
}

interface ListProps extends Omit<Props, 'value' | 'onChange' | 'minor'> {
  value: number[];
  onChange: (value: number[]) => void;
}

/** An input for several amounts, which are stored in minor units and typed in major units. */
export function MoneyListInput({ value, onChange, ...field }: ListProps) {
  const { currencyDecimals } = useStore();
  return (
    <TagsInput
      {...field}
      inputMode="decimal"
      value={value.map((amount) => String(amount / 10 ** currencyDecimals))}
      onChange={(texts) => onChange(minorAmounts(texts, currencyDecimals))}
    />
  );
}
