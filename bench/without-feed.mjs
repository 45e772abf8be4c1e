// The service, which on SIGUSR2 goes on as it would be without the event feed, and back on the next one (bench/feed.mjs). Without it
// a change of status writes no event; where a store has a webhook, the delivery holds the body, as it did before there were events.
import { CHANGE_ORDER } from '../dist/src/groups/orders/order.statements.js';
import { writeEvent } from '../dist/src/webhooks/events/outbox.js';

const written = writeEvent('order.updated', 'emitted', '$8', '$9');
const body = /convert_to\(.*'UTF8'\)/s.exec(written)[0];
const delivery = `delivery as (
  insert into webhook_deliveries (store_id, id, next_attempt_at, created_at, order_id, event, body)
  select $1, $8::uuid, shop_now(), $9::timestamptz, source.id, 'order.updated', ${body}
  from emitted source, webhook_endpoints endpoint where endpoint.store_id = $1 returning 1
)`;
const text = CHANGE_ORDER.text.replace(written, () => delivery);
if (text === CHANGE_ORDER.text) throw new Error('the statement that changes an order writes its event in another way now');

const [asItIs, without] = [{ ...CHANGE_ORDER }, { name: 'change_order_without_event', text }];
process.on('SIGUSR2', () => {
  Object.assign(CHANGE_ORDER, CHANGE_ORDER.text === text ? asItIs : without);
  console.log('switched');
});

await import('../dist/src/main.js');
