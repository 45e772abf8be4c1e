import { Select, type SelectProps, TextInput } from '@mantine/core';
import { useSearch } from '../../address';
import { localTime, utcTime } from '../values/time-zone';
import { words } from '../../words';

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
 * An input for the time at which a list begins or ends, in the store's time zone. It is kept in the address
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
      onBlur={({ currentTarget: { value } }) => {
        if (value !== localTime(search[name])) setSearch({ [name]: utcTime(value) });
      }}
    />
  );
}
