import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useSearch } from '../../address';
import { useAll, useRead } from '../../api/queries';
import { ChoiceFilter } from '../../parts/lists/filters';
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
