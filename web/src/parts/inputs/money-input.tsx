import { TagsInput } from '@mantine/core';
import { useStore } from '../../api/store';
import { language } from '../../words';
import { minorAmounts, toMinor } from './amounts';
import { DecimalInput, type DecimalProps } from './decimal-input';
import { ignoreEmptyEnter } from './texts-input';

interface Props extends Omit<DecimalProps, 'decimals'> {
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

/** An input for several amounts, which are stored in minor units and typed in major units. */
export function MoneyListInput({ value, onChange, ...field }: ListProps) {
  const { currencyDecimals } = useStore();
  return (
    <TagsInput
      {...field}
      inputMode="decimal"
      // A comma may be a decimal sign (amounts.ts).
      splitChars={[';']}
      onKeyDown={ignoreEmptyEnter}
      value={value.map((amount) => String(amount / 10 ** currencyDecimals))}
      onChange={(texts) => onChange(minorAmounts(texts, currencyDecimals, language))}
    />
  );
}
