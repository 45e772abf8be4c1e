import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useSearch } from '../../address';

const PAUSE_MS = 250;

/**
 * Filters a list by a text while one types. It is kept in the address under its name; if a link or "back"
 * changes it there, the box shows that.
 */
export function FindInput({ name = 'text', ...props }: { name?: string } & TextInputProps) {
  const [search, setSearch] = useSearch();
  const given = search[name] ?? '';
  const [text, setText] = useState(given);
  const [sent, setSent] = useState(given);
  const [shown, setShown] = useState(given);
  const find = useDebouncedCallback((typed: string) => {
    // A link has changed the address meanwhile.
    if (typed !== text.trim()) return;
    setSent(typed);
    setSearch({ [name]: typed });
  }, PAUSE_MS);
  // What this box has sent itself must not replace what was typed since.
  if (given !== shown) {
    setShown(given);
    if (given !== sent) {
      setText(given);
      setSent(given);
    }
  }
  return (
    <TextInput
      {...props}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        find(value.trim());
      }}
    />
  );
}
