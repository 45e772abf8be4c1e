import { Select } from '@mantine/core';
import type { FieldProps } from './schema-form';

/** One record out of a list, found by typing its name; it may also be none. */
export function Choice({ from, label, error, value, onChange }: FieldProps & { from: { id: string; name: string }[] }) {
  return (
    <Select
      label={label}
      error={error}
      data={from.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
      value={(value as string | null) ?? null}
      onChange={onChange}
    />
  );
}
