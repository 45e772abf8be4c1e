import { NativeSelect, Select, type SelectProps, TextInput } from '@mantine/core';
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

/** The first and the last day of a list or a report, kept in the address as `from` and `to`. */
export function DayFilters(labels: { from?: string; to?: string }) {
  const [search, setSearch] = useSearch();
  return (['from', 'to'] as const).map((end) => (
    <TextInput
      key={end}
      type="date"
      label={labels[end]}
      aria-label={labels[end] ?? words.orders[end]}
      leftSection={<span className="day-label">{words.orders[`${end}Short`]}</span>}
      leftSectionWidth={52}
      value={search[end] ?? ''}
      onChange={(event) => setSearch({ [end]: event.currentTarget.value })}
    />
  ));
}

/** Chooses one of several values, the first of which is meant when the address has none. */
export function OneFilter<Value extends string>({
  name,
  values,
  texts,
  label,
  usual,
}: {
  name: string;
  values: readonly Value[];
  texts: Record<Value, string>;
  label: string;
  usual: Value;
}) {
  const [search, setSearch] = useSearch();
  return (
    <NativeSelect
      aria-label={label}
      data={values.map((value) => ({ value, label: texts[value] }))}
      value={values.find((value) => value === search[name]) ?? usual}
      onChange={({ currentTarget: { value } }) => setSearch({ [name]: value === usual ? null : value })}
    />
  );
}
