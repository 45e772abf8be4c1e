import { MultiSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { isWithin } from '../../api/access';
import { ask, type Output } from '../../api/client';
import { keyOf, useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { customerName, shownName } from '../../parts/values/customer-name';
import { words } from '../../words/all';
import { idsIn } from './ids';

const PAUSE_MS = 250;
/** Customers whose id was pasted are read one by one. Of more of them the ids are shown. */
const MOST_NAMED = 50;

type Found = Output<'find_customers'>['items'][number];

interface Props {
  value: string[];
  onChange: (ids: string[]) => void;
  error?: string;
}

/** Customers, found by what an owner knows of them, or given by their ids, one or a whole list. */
export function CustomersInput({ value, onChange, error }: Props) {
  const [text, setText] = useState('');
  const found = useFound(text);
  const names = useNames(value);
  const add = (ids: string[]) => {
    onChange([...new Set([...value, ...ids])]);
    setText('');
  };
  const typed = idsIn(text);
  const offered = [...(found ?? []).map(({ id }) => id), ...typed];
  const labels = new Map([
    ...typed.map((id) => [id, id] as const),
    ...names,
    ...(found ?? []).map((one) => [one.id, shownName(one)] as const),
  ]);
  return (
    <MultiSelect
      label={words.campaigns.customerIds}
      description={words.campaigns.customersHint}
      error={error}
      searchable
      hidePickedOptions
      searchValue={text}
      // A list is taken as it is typed: "77, 78".
      onSearchChange={(now) => (/[,;]/.test(now) && idsIn(now).length > 0 ? add(idsIn(now)) : setText(now))}
      value={value}
      onChange={onChange}
      data={[...labels].map(([id, label]) => ({ value: id, label }))}
      // The service has searched.
      filter={({ options }) =>
        options.filter((option) => 'value' in option && offered.includes(option.value))
      }
      renderOption={({ option }) => (
        <Offer label={option.label} customer={found?.find(({ id }) => id === option.value)} />
      )}
      nothingFoundMessage={found && words.common.nothingFound}
      onPaste={(event) => {
        // In a line of text the browser would join the lines of a list.
        const ids = idsIn(event.clipboardData.getData('text/plain'));
        if (ids.length < 2 || text !== '') return;
        event.preventDefault();
        add(ids);
      }}
      onKeyDown={(event) => {
        const isHighlighted = event.currentTarget.hasAttribute('aria-activedescendant');
        if (event.key !== 'Enter' || text === '' || isHighlighted) return;
        // Takes what is offered first, and does not send the form.
        event.preventDefault();
        add(offered.slice(0, 1));
      }}
      onBlur={() => typed.length > 0 && add(typed)}
    />
  );
}

/** One of those offered, with what tells people of one name apart. */
function Offer({ label, customer }: { label: string; customer?: Found }) {
  const { username, phone } = customer ?? {};
  const details = [username && `@${username}`, phone].filter((detail) => detail && detail !== label);
  return (
    <div>
      {label}
      {details.length > 0 && (
        <Text size="sm" c="dimmed">
          {details.join(' · ')}
        </Text>
      )}
    </div>
  );
}

/** The customers that match the text; undefined while they are looked for. */
function useFound(text: string): Found[] | undefined {
  const store = useStore();
  const wanted = text.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const { data } = useRead(
    'find_customers',
    { text: asked || undefined, take: 20 },
    { enabled: isWithin(store, ['find_customers']) },
  );
  return asked === wanted ? data?.items : undefined;
}

/** The names of those who have been chosen, as far as they are known. */
function useNames(ids: string[]): [string, string][] {
  const store = useStore();
  const queries = useQueries({
    queries: ids.slice(0, MOST_NAMED).map((id) => ({
      queryKey: keyOf(store.id, 'get_customer', { id }),
      queryFn: () => ask(store.id, 'get_customer', { id }),
      enabled: isWithin(store, ['get_customer']),
    })),
  });
  return queries.flatMap(({ data }) => (data ? [[data.id, customerName(data)]] : []));
}
