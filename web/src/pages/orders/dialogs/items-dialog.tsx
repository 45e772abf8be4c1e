import { ActionIcon, Group, Select, Text } from '@mantine/core';
import { DecimalInput } from '../../../parts/inputs/decimal-input';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { RouteInput } from '../../../api/client';
import { useRead } from '../../../api/queries';
import { TrashIcon } from '../../../parts/icons';
import { Pictured, usePicturesOf } from '../../../parts/values/pictures';
import { words } from '../../../words';
import { OrderDialog } from './order-dialog';
import { type Order, variantOf } from '../order-sheet';

type Item = RouteInput<'PUT stores/{storeId}/orders/{orderId}/items'>['items'][number];
interface Line {
  label: string;
  item: Item;
}

const linesOf = (order: Order): Line[] =>
  order.items.map((line) => ({
    label: [line.title, variantOf(line)].filter(Boolean).join(', '),
    item: {
      productId: line.productId,
      quantity: line.quantity,
      optionTitle: line.variantOptionTitle ?? undefined,
      variantValue: line.variantValue ?? undefined,
      size: line.size ?? undefined,
    },
  }));

/** Changes the items of the order. Existing lines keep their price; new lines get the current one. */
export function ItemsDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [lines, setLines] = useState(() => linesOf(order));
  const items = lines.map(({ item }) => item);
  const isSame = JSON.stringify(lines) === JSON.stringify(linesOf(order));
  return (
    <OrderDialog
      order={order}
      title={words.orders.changeItems}
      size="lg"
      submit={{ label: words.common.save, disabled: lines.length === 0 || isSame }}
      values={{ items }}
      change="PUT stores/{storeId}/orders/{orderId}/items"
      input={{ orderId: String(order.id), items }}
      done={words.common.saved}
      onDone={onClose}
      conflict={{
        yours: { items: inOneLine(lines) },
        theirs: (theirs) => ({ items: inOneLine(linesOf(theirs)) }),
        onTakeTheirs: (theirs) => setLines(linesOf(theirs)),
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text size="sm" c="dimmed">
            {words.orders.changeItemsHint}
          </Text>
          {lines.map((line, i) => (
            <LineRow
              key={`${line.label} ${i}`}
              line={line}
              onChange={(quantity) => setLines(lines.with(i, withQuantity(line, quantity)))}
              onRemove={() => setLines(lines.toSpliced(i, 1))}
            />
          ))}
          <ProductSelect error={errorOf('items')} onAdd={(line) => setLines([...lines, line])} />
        </>
      )}
    </OrderDialog>
  );
}

const withQuantity = ({ label, item }: Line, quantity: number): Line => ({
  label,
  item: { ...item, quantity },
});

interface LineProps {
  line: Line;
  onChange: (quantity: number) => void;
  onRemove: () => void;
}

const LineRow = ({ line: { label, item }, onChange, onRemove }: LineProps) => (
  <Group wrap="nowrap" justify="space-between">
    <Text size="sm" flex={1}>
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
      aria-label={`${words.common.remove}: ${label}`}
      onClick={onRemove}
    >
      <TrashIcon />
    </ActionIcon>
  </Group>
);

const inOneLine = (lines: Line[]) => lines.map(({ label, item }) => `${item.quantity} × ${label}`).join('; ');

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
      label={words.orders.addProduct}
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
