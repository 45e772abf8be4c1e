import { NumberInput, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useStore } from '../api/store';

interface Props {
  label: string;
  description?: string;
  value: number | null | undefined;
  /** Whether the value is in minor units, as orders carry it; products carry major units. People type major units in both. */
  minor?: boolean;
  required?: boolean;
  error?: string;
  onChange: (value: number | null) => void;
}

/** The value in minor units without the error of a binary fraction: 19.99 is 1999. */
const toMinor = (major: number, decimals: number) => Math.round(major * 10 ** decimals);

/** An amount in the store's currency, with its decimals. Empty is null. */
export function MoneyInput({ value, minor, onChange, ...field }: Props) {
  const { currency, currencyDecimals } = useStore();
  const shown = value === null || value === undefined ? '' : minor ? value / 10 ** currencyDecimals : value;
  // What is typed stays as it is typed: 20.0 on the way to 20.05.
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

/** Some amounts in minor units, typed in major ones. */
export function MoneyListInput({ value, onChange, ...field }: ListProps) {
  const { currencyDecimals } = useStore();
  const amounts = (texts: string[]) => texts.map((text) => Number(text.replace(',', '.'))).filter((amount) => amount > 0);
  return (
    <TagsInput
      {...field}
      inputMode="decimal"
      value={value.map((amount) => String(amount / 10 ** currencyDecimals))}
      onChange={(texts) => onChange(amounts(texts).map((amount) => toMinor(amount, currencyDecimals)))}
    />
  );
}
