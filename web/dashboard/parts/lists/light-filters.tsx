import { NativeSelect, TextInput } from '@mantine/core';
import { useSearch } from '../../address';
import { words } from '../../words';

// Apart from filters.tsx, whose lists to choose from are too heavy for the pages that are opened most.

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
      leftSectionWidth={48}
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
