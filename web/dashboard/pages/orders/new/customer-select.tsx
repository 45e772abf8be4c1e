import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { isWithin } from '../../../api/access';
import { useRead } from '../../../api/queries';
import { useStore } from '../../../api/store';
import { shownName } from '../../../parts/values/customer-name';
import { words } from '../../../words/all';

interface Found {
  id: string;
  name: string;
  details: string;
}

interface Props {
  value: Found | null;
  error?: string;
  onChange: (customer: Found | null) => void;
}

export type ChosenCustomer = Found;

/** A customer, found by name, @username or phone. */
export function CustomerSelect({ value, error, onChange }: Props) {
  const [text, setText] = useState('');
  const found = useFound(text);
  const known = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  return (
    <Select
      label={words.newOrder.customer}
      description={words.newOrder.customerHint}
      error={error}
      required
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      value={value?.id ?? null}
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      // The service has searched.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          {option.label}
          <Text size="sm" c="dimmed">
            {known.find(({ id }) => id === option.value)?.details}
          </Text>
        </div>
      )}
      nothingFoundMessage={words.newOrder.nobody}
      onChange={(id) => onChange(known.find((one) => one.id === id) ?? null)}
    />
  );
}

/** Somebody with orders alone finds customers by the orders that they have placed. */
function useFound(text: string): Found[] {
  const mayFind = isWithin(useStore(), ['find_customers']);
  const [asked] = useDebouncedValue(text.trim(), 250);
  const input = { text: asked || undefined, take: 20 };
  const customers = useRead('find_customers', input, { enabled: mayFind }).data?.items;
  const orders = useRead('find_orders', input, { enabled: !mayFind }).data?.items;
  if (customers)
    return customers.map((one) => ({
      ...{ id: one.id, name: shownName(one) },
      details: [one.username && `@${one.username}`, one.phone].filter(Boolean).join(' · '),
    }));
  const shoppers = (orders ?? []).map(({ customerId: id, customerName: name, username }) => ({
    ...{ id, name: shownName({ id, name, username }), details: username ? `@${username}` : '' },
  }));
  return [...new Map(shoppers.map((one) => [one.id, one])).values()];
}
