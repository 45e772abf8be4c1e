import { Text } from '@mantine/core';
import { useState } from 'react';
import { words } from '../../../words/all';
import { OrderDialog } from './order-dialog';
import { type Line, LinesInput } from '../new/order-lines';
import { type Order, variantOf } from '../order';

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
      title={words.handling.changeItems}
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
            {words.handling.changeItemsHint}
          </Text>
          <LinesInput lines={lines} error={errorOf('items')} onChange={setLines} />
        </>
      )}
    </OrderDialog>
  );
}

const inOneLine = (lines: Line[]) => lines.map(({ label, item }) => `${item.quantity} × ${label}`).join('; ');
