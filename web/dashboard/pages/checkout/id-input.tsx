import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../../words';
import type { Field } from './checkout';

interface Props {
  label: string;
  value: string;
  others: Field[];
  error?: string;
  onChange: (id: string) => void;
}

/**
 * The id of a field. One that another field has stays as it was typed, with the reason, and the form is not
 * sent: if the field had it, nobody could say which of the two a condition means.
 */
export function IdInput({ label, value, others, error, onChange }: Props) {
  const [refused, setRefused] = useState({ over: value, text: value });
  const isUsed = (text: string) => others.some(({ id }) => id === text);
  const isRefused = refused.over === value && refused.text !== value && isUsed(refused.text);
  return (
    <TextInput
      label={label}
      value={isRefused ? refused.text : value}
      error={isRefused || isUsed(value) ? words.refusals.used : error}
      data-unreadable={isRefused || undefined}
      onChange={({ currentTarget: { value: text } }) => {
        setRefused({ over: value, text });
        if (!isUsed(text)) onChange(text);
      }}
    />
  );
}
