import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useSearch } from '../../address';
import { useRead } from '../../api/queries';
import { DayFilters } from '../../parts/lists/light-filters';
import { words } from '../../words';

/** What customers have bought: kept in the address. */
export function SegmentFilters() {
  const [search, setSearch] = useSearch();
  const { customers } = words;
  return (
    <div className="segment-filters">
      {(['minOrders', 'minSpent'] as const).map((name) => (
        <TextInput
          key={name}
          label={customers[name]}
          inputMode="decimal"
          value={search[name] ?? ''}
          onChange={({ currentTarget: { value } }) => setSearch({ [name]: value.replace(',', '.').trim() })}
        />
      ))}
      <ProductFilter />
      <CategoryFilter />
      <DayFilters from={customers.lastOrderFrom} to={customers.lastOrderTo} />
    </div>
  );
}

function ProductFilter() {
  const [search, setSearch] = useSearch();
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
    <Select
      label={words.customers.bought}
      placeholder={words.common.all}
      clearable
      clearButtonProps={{ 'aria-label': words.common.all }}
      searchable
      onSearchChange={setText}
      data={[...names].map(([value, label]) => ({ value, label }))}
      nothingFoundMessage={words.common.nothingFound}
      value={search.productId ?? null}
      onChange={(productId) => setSearch({ productId })}
    />
  );
}

function CategoryFilter() {
  const [search, setSearch] = useSearch();
  const categories = useRead('list_categories', { take: 100 });
  return (
    <Select
      label={words.customers.boughtCategory}
      placeholder={words.common.all}
      clearable
      clearButtonProps={{ 'aria-label': words.common.all }}
      searchable
      data={categories.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={search.categoryId ?? null}
      onChange={(categoryId) => setSearch({ categoryId })}
    />
  );
}
