import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useStore } from '../../api/store';
import { language, words } from '../../words';
import { number } from '../values/format';
import { readAmounts, readNumber, toMinor } from './amounts';
import { DecimalInput, type DecimalProps } from './decimal-input';
import { ignoreEmptyEnter } from './texts-input';

interface Props extends Omit<DecimalProps, 'decimals' | 'isAmount'> {
  /**
   * Whether the value is in minor units, which orders use, or in major units, which products use. People
   * always type major units.
   */
  minor?: boolean;
}

/** An input for an amount in the store's currency, with its number of decimals. An empty input is null. */
export function MoneyInput({ value, minor, onChange, ...field }: Props) {
  const { currency, currencyDecimals } = useStore();
  return (
    <DecimalInput
      {...field}
      isAmount
      decimals={currencyDecimals}
      value={minor && value ? value / 10 ** currencyDecimals : value}
      rightSectionWidth={52}
      rightSection={currency}
      onChange={(major) => onChange(minor && major !== null ? toMinor(major, currencyDecimals) : major)}
    />
  );
}

interface ListProps extends Pick<Props, 'label' | 'description' | 'error'> {
  value: number[];
  onChange: (value: number[]) => void;
}

/**
 * An input for several amounts, which are stored in minor units and typed in major units. What is no amount
 * stays as it was typed, with the reason, and its form is not sent (form.tsx).
 */
export function MoneyListInput({ value, error, onChange, ...field }: ListProps) {
  const { currencyDecimals: decimals } = useStore();
  const shown = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const [unread, setUnread] = useState<string[]>([]);
  const [seen, setSeen] = useState(() => String(value));
  // Amounts that come from elsewhere replace texts that could not be read.
  if (seen !== String(value)) {
    setSeen(String(value));
    setUnread([]);
  }
  const isNumber = unread.length > 0 && readNumber(unread[0], decimals, language) !== undefined;
  const reason = isNumber ? words.refusals.above('0') : words.refusals.unreadable(decimals);
  return (
    <TagsInput
      {...field}
      inputMode="decimal"
      // A comma may be a decimal sign (amounts.ts).
      splitChars={[';']}
      onKeyDown={ignoreEmptyEnter}
      error={unread.length > 0 ? reason : error}
      data-unreadable={unread.length > 0 || undefined}
      value={[...value.map((amount) => number(amount / 10 ** decimals, shown)), ...unread]}
      onChange={(texts) => {
        const read = readAmounts(texts, decimals, language);
        setUnread(read.unread);
        setSeen(String(read.amounts));
        onChange(read.amounts);
      }}
    />
  );
}
