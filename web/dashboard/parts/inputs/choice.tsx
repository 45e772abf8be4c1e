import { Select } from '@mantine/core';
import type { FieldProps } from '../forms/field';

/** Selects a record from a list by typing its name, or none. */
export function Choice({
  from,
  label,
  error,
  value,
  onChange,
}: FieldProps & { from: { id: string; name: string }[] }) {
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
