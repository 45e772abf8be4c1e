import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { number } from '../values/format';
import { language, words } from '../../words';
import { readNumber } from './amounts';

export interface DecimalProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value: number | null | undefined;
  /** The most digits after the decimal sign. Default 0: whole numbers. */
  decimals?: number;
  /** Whether it shows all decimals, as amounts do. */
  isAmount?: boolean;
  /** Gets every number that is typed; null once the input is empty. */
  onChange: (value: number | null) => void;
}

/**
 * An input for a number, read as people write it in their language. What is no such number stays as it was
 * typed, with the reason, and its form is not sent (form.tsx).
 */
export function DecimalInput(props: DecimalProps) {
  const { value, decimals = 0, isAmount, error, onChange, onBlur, ...input } = props;
  const shown = textOf(value, decimals, isAmount);
  const [typed, setTyped] = useState<string | null>(null);
  const [seen, setSeen] = useState(value);
  const isRead = typed === null || readNumber(typed, decimals, language) !== undefined;
  // A value that comes from elsewhere replaces a text that could not be read.
  if (seen !== value) {
    setSeen(value);
    if (!isRead) setTyped(null);
  }
  return (
    <TextInput
      {...input}
      value={typed ?? shown}
      inputMode={decimals > 0 ? 'decimal' : 'text'}
      autoComplete="off"
      error={isRead ? error : words.refusals.unreadable(decimals)}
      data-unreadable={!isRead || undefined}
      onChange={({ currentTarget }) => {
        const read = readNumber(currentTarget.value, decimals, language);
        setTyped(currentTarget.value);
        if (read !== undefined) onChange(read);
      }}
      onBlur={(event) => {
        if (isRead) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}

const textOf = (value: number | null | undefined, decimals: number, isAmount = false) =>
  value === null || value === undefined
    ? ''
    : number(value, { minimumFractionDigits: isAmount ? decimals : 0, maximumFractionDigits: decimals });
