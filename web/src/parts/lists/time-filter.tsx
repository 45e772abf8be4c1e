import { TextInput } from '@mantine/core';
import { useSearch } from '../../address';
import { localTime, utcTime } from '../forms/times';

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
