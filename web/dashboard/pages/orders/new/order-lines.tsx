import { ActionIcon, Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { isWithin } from '../../../api/access';
import type { RouteInput } from '../../../api/client';
import { useRead } from '../../../api/queries';
import { useStore } from '../../../api/store';
import { TrashIcon } from '../../../parts/icons';
import { DecimalInput } from '../../../parts/inputs/decimal-input';
import { Pictured, usePicturesOf } from '../../../parts/values/pictures';
import { words } from '../../../words/all';

type Item = RouteInput<'POST stores/{storeId}/orders'>['items'][number];

/** A line of an order that is being written, with the name under which a person knows it. */
export interface Line {
  label: string;
  item: Item;
}

const withQuantity = ({ label, item }: Line, quantity: number): Line => ({
  label,
  item: { ...item, quantity },
});

interface LinesProps {
  lines: Line[];
  error?: string;
  onChange: (lines: Line[]) => void;
}

/** The lines, and below them the products that can be added. */
export function LinesInput({ lines, error, onChange }: LinesProps) {
  const maySee = isWithin(useStore(), ['find_products']);
  const add = (added: Line) => {
    const same = lines.findIndex(({ item }) => isSame(item, added.item));
    onChange(
      same < 0 ? [...lines, added] : lines.with(same, withQuantity(added, lines[same].item.quantity + 1)),
    );
  };
  return (
    <>
      {lines.map((line, i) => (
        <LineRow
          key={`${line.label} ${i}`}
          line={line}
          onChange={(quantity) => onChange(lines.with(i, withQuantity(line, quantity)))}
          onRemove={() => onChange(lines.toSpliced(i, 1))}
        />
      ))}
      {maySee ? (
        <ProductSelect error={error} onAdd={add} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.newOrder.noProducts}
        </Text>
      )}
    </>
  );
}

const isSame = (one: Item, other: Item) =>
  JSON.stringify({ ...one, quantity: 0 }) === JSON.stringify({ ...other, quantity: 0 });

interface LineProps {
  line: Line;
  onChange: (quantity: number) => void;
  onRemove: () => void;
}

const LineRow = ({ line: { label, item }, onChange, onRemove }: LineProps) => (
  <Group wrap="nowrap" justify="space-between">
    <Text size="sm" flex={1} className="as-typed">
      {label}
    </Text>
    <DecimalInput
      aria-label={`${words.orders.quantity}: ${label}`}
      w={90}
      value={item.quantity}
      onChange={(value) => onChange(value ?? 0)}
    />
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`${words.common.remove}: ${label}`}
      onClick={onRemove}
    >
      <TrashIcon />
    </ActionIcon>
  </Group>
);

function ProductSelect({ error, onAdd }: { error?: string; onAdd: (line: Line) => void }) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 250);
  const { data } = useRead('find_products', { text: asked || undefined, take: 20 });
  const pictures = usePicturesOf((data?.items ?? []).map(({ id }) => id));
  // Others could not be added. An order names a product by its external id.
  const onSale = (data?.items ?? []).filter((product) => product.onSale);
  const found = onSale.flatMap(({ id, productId, title, variants }) => {
    const picture = pictures.get(id);
    const item: Item = { productId, quantity: 1 };
    if (variants.length === 0) return [{ value: id, label: title, picture, item }];
    return variants.map((variant) => ({
      ...{ value: variant.id, label: `${title}, ${variant.name}`, picture },
      item: { ...item, variantId: variant.id },
    }));
  });
  return (
    <Select
      label={words.handling.addProduct}
      error={error}
      searchable
      searchValue={text}
      onSearchChange={setText}
      value={null}
      data={found.map(({ value, label }) => ({ value, label }))}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Pictured url={found.find(({ value }) => value === option.value)?.picture}>{option.label}</Pictured>
      )}
      nothingFoundMessage={words.common.nothingFound}
      onChange={(value) => {
        const one = found.find((candidate) => candidate.value === value);
        if (one) onAdd({ label: one.label, item: one.item });
        setText('');
      }}
    />
  );
}
