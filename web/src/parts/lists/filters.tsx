import { Select, type SelectProps, TextInput } from '@mantine/core';
import { useSearch } from '../../address';
import { words } from '../../words';
import { localTime, utcTime } from '../inputs/times';

/** Filters a list by one of several values. It is kept in the address under its name. */
export function ChoiceFilter({ name, ...props }: Omit<SelectProps, 'value'> & { name: string }) {
  const [search, setSearch] = useSearch();
  return (
    <Select
      placeholder={words.common.all}
      clearable
      clearButtonProps={{ 'aria-label': words.common.all }}
      value={search[name] ?? null}
      onChange={(value) => setSearch({ [name]: value })}
      {...props}
    />
  );
}

/**
 * An input for the time at which a list begins or ends, in the reader's time zone. It is kept in the address
 * under its name.
 */
export function TimeFilter({ name, label }: { name: string; label: string }) {
  const [search, setSearch] = useSearch();
  return (
    <TextInput
      key={search[name] ?? ''}
      type="datetime-local"
      label={label}
      defaultValue={localTime(search[name])}
      onBlur={({ currentTarget }) => setSearch({ [name]: utcTime(currentTarget.value) })}
    />
  );
}
