import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useSearch } from '../../address';
import { useAll, useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { keptNumber, numberKept } from '../../parts/inputs/amounts';
import { ChoiceFilter } from '../../parts/lists/filters';
import { DayFilters } from '../../parts/lists/light-filters';
import { number } from '../../parts/values/format';
import { language } from '../../words';
import { words } from '../../words/all';

/** What customers have bought: kept in the address. */
export function SegmentFilters() {
  const { currencyDecimals } = useStore();
  const { customers } = words;
  return (
    <div className="segment-filters">
      <NumberFilter name="minOrders" label={customers.minOrders} decimals={0} />
      <NumberFilter name="minSpent" label={customers.minSpent} decimals={currencyDecimals} />
      <ProductFilter />
      <CategoryFilter />
      <DayFilters from={customers.lastOrderFrom} to={customers.lastOrderTo} />
    </div>
  );
}

/** An input for a number, which stays as it is typed. The address has it even if it cannot be read. */
function NumberFilter({ name, label, decimals }: { name: string; label: string; decimals: number }) {
  const [search, setSearch] = useSearch();
  const [typed, setTyped] = useState<string | null>(null);
  const value = numberKept(search[name], decimals);
  const shown = typeof value === 'number' ? number(value, { maximumFractionDigits: decimals }) : search[name];
  return (
    <TextInput
      label={label}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={typed ?? shown ?? ''}
      error={value === undefined && words.refusals.unreadable(decimals)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setSearch({ [name]: keptNumber(currentTarget.value, decimals, language) });
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function ProductFilter() {
  const [search] = useSearch();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 250);
  const chosen = useRead(
    'get_product',
    { id: search.productId },
    { enabled: search.productId !== undefined },
  );
  const found = useRead('find_products', { text: asked || undefined, take: 20 });
  const shown = [chosen.data, ...(found.data?.items ?? [])].flatMap((product) => product ?? []);
  const names = new Map(shown.map(({ id, title }) => [id, title]));
  return (
    <ChoiceFilter
      name="productId"
      label={words.customers.bought}
      searchable
      onSearchChange={setText}
      data={[...names].map(([value, label]) => ({ value, label }))}
      nothingFoundMessage={words.common.nothingFound}
    />
  );
}

function CategoryFilter() {
  return (
    <ChoiceFilter
      name="categoryId"
      label={words.customers.boughtCategory}
      searchable
      data={useAll('list_categories').map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
