import './orders.css';
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '../../address';
import { ask } from '../../api/client';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { PrintIcon } from '../../parts/icons';
import { Empty, LoadingBlock, PageHead } from '../../parts/states';
import { picturesOfOrders } from '../../parts/values/pictures';
import { withZone } from '../../parts/values/time-zone';
import { words, wordsIn } from '../../words';
import { MOST_TO_PRINT, OrderSheet } from './order-sheet';

/** Prints orders, one per page. */
export default function PrintPage() {
  const { id, language } = useStore();
  const [{ ids = '' }] = useSearch();
  const numbers = [...new Set(ids.match(/\d{1,15}/g) ?? [])].slice(0, MOST_TO_PRINT).map(Number);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [id, 'orders to print', numbers, language],
    queryFn: async () => {
      const { orders: say } = await wordsIn(language);
      const pictures = numbers.length > 0 ? await picturesOfOrders(id, numbers) : undefined;
      return Promise.all(
        numbers.map(async (orderId) => {
          const [order, pricing] = await Promise.all([
            ask(id, 'get_order', { orderId }),
            ask(id, 'get_order_pricing', { orderId }),
          ]);
          return { order, pricing, pictures, say };
        }),
      );
    },
  });
  return (
    <Stack>
      <div className="no-print">
        <PageHead title={words.orders.printTitle(numbers.length)} hint={withZone(words.orders.printHint)}>
          <Button leftSection={<PrintIcon />} onClick={() => print()} disabled={!data?.length}>
            {words.orders.print}
          </Button>
        </PageHead>
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <LoadingBlock />}
      {data?.length === 0 && <Empty title={words.orders.emptyFiltered} />}
      {data?.map((sheet) => (
        <OrderSheet key={sheet.order.id} {...sheet} />
      ))}
    </Stack>
  );
}
