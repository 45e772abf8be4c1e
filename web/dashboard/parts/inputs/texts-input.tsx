import { TagsInput, type TagsInputProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';

/** Several at once: "S, M, L". A comma between digits is a decimal sign: "1,5 l". */
const SEPARATOR = /[;\n]|(?<!\d),|,(?!\d)/;

/** Enter without a text does not send the form, because it may be one too many. */
export function ignoreEmptyEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter' && event.currentTarget.value.trim() === '') event.preventDefault();
}

interface Props extends Omit<TagsInputProps, 'value' | 'onChange' | 'splitChars'> {
  value: string[];
  onChange: (texts: string[]) => void;
}

/** An input for several texts, each ended by Enter. Only what is typed anew is split. */
export function TextsInput({ value, onChange, ...field }: Props) {
  const separate = (text: string) =>
    value.includes(text) ? text : text.split(SEPARATOR).flatMap((part) => part.trim() || []);
  return (
    <TagsInput
      {...field}
      splitChars={[]}
      value={value}
      onChange={(texts) => onChange([...new Set(texts.flatMap(separate))])}
      onKeyDown={ignoreEmptyEnter}
    />
  );
}
