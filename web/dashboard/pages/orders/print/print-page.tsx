import '../orders.css';
import { Button, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '../../../address';
import { ask, call } from '../../../api/client';
import { useStore } from '../../../api/store';
import { Failure } from '../../../parts/failure';
import { PrintIcon } from '../../../parts/icons';
import { Empty, LoadingBlock, PageHead } from '../../../parts/states';
import { picturesOfOrders } from '../../../parts/values/pictures';
import { withZone } from '../../../parts/values/time-zone';
import { wordsIn } from '../../../words';
import { words } from '../../../words/all';
import { MOST_TO_PRINT } from '../order';
import { OrderSheet } from './order-sheet';

/** Prints orders, one per page: as order sheets, or as slips for the packer, which have no prices. */
export default function PrintPage() {
  const { id, language } = useStore();
  const [{ ids = '', slip, notes }, setSearch] = useSearch();
  const numbers = [...new Set(ids.match(/\d{1,15}/g) ?? [])].slice(0, MOST_TO_PRINT).map(Number);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [id, 'orders to print', numbers, language],
    queryFn: async () => {
      const { orders: say } = await wordsIn(language);
      if (numbers.length === 0) return [];
      const [pictures, codes, { link }] = await Promise.all([
        picturesOfOrders(id, numbers),
        ask(id, 'GET stores/{storeId}/orders/codes', { orderIds: numbers.map(String) }),
        ask(id, 'GET stores/{storeId}/shop', {}),
      ]);
      const contact = link && link.replace(/^https:\/\/|\?.*/g, '');
      const codesOf = (one: number) =>
        new Map(codes.items.flatMap(({ orderId, line, sku }) => (orderId === one ? [[line, sku]] : [])));
      return Promise.all(
        numbers.map(async (orderId) => {
          const orderIdText = String(orderId);
          const [order, pricing, money, { items }] = await Promise.all([
            ask(id, 'get_order', { orderId }),
            ask(id, 'get_order_pricing', { orderId }),
            call('GET stores/{storeId}/orders/{orderId}/payment', { storeId: id, orderId: orderIdText }),
            ask(id, 'list_order_notes', { orderId, take: 20 }),
          ]);
          const notes = items.map(({ text }) => text).reverse();
          return { order, pricing, money, pictures, codes: codesOf(orderId), contact, say, notes };
        }),
      );
    },
  });
  return (
    <Stack>
      <div className="no-print">
        <PageHead title={words.handling.printTitle(numbers.length)} hint={withZone(words.handling.printHint)}>
          <Switch
            label={words.handling.packingSlip}
            checked={slip !== undefined}
            onChange={({ currentTarget }) => setSearch({ slip: currentTarget.checked ? '1' : null })}
          />
          <Switch
            label={words.handling.printNotes}
            checked={notes !== undefined}
            onChange={({ currentTarget }) => setSearch({ notes: currentTarget.checked ? '1' : null })}
          />
          <Button leftSection={<PrintIcon />} onClick={() => print()} disabled={!data?.length}>
            {words.orders.print}
          </Button>
        </PageHead>
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <LoadingBlock />}
      {data?.length === 0 && <Empty title={words.orders.emptyFiltered} />}
      {data?.map((sheet) => (
        <OrderSheet
          key={sheet.order.id}
          {...sheet}
          isSlip={slip !== undefined}
          notes={notes === undefined ? [] : sheet.notes}
        />
      ))}
    </Stack>
  );
}
