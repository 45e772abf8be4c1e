// The service with a switch: SIGUSR2 turns the event feed off, and the next one turns it on again
// (bench/feed/run.mjs). Without the feed a change of status writes no event; if the store has a webhook, the
// delivery holds the body, as it did before there were events.
import { CHANGE_ORDER } from '../../dist/src/groups/orders/order/order.statements.js';
import { readConfig } from '../../dist/src/platform/config/environment.js';
import { createLogger } from '../../dist/src/platform/logging/logger.js';
import { serve } from '../../dist/src/start/serve.js';
import { writeEvent } from '../../dist/src/webhooks/events/outbox.js';

const place = (name) => `$${['store', ...CHANGE_ORDER.parameters].indexOf(name) + 1}`;
const written = writeEvent('order.updated', 'emitted').replace(/\$(\w+)/g, (_, name) => place(name));
const body = /convert_to\(.*'UTF8'\)/s.exec(written)[0];
const delivery = `delivery as (
  insert into webhook_deliveries (store_id, id, next_attempt_at, created_at, order_id, event, body)
  select $1, ${place('eventId')}::uuid, shop_now(), ${place('createdAt')}::timestamptz, source.id,
    'order.updated', ${body}
  from emitted source, webhook_endpoints endpoint where endpoint.store_id = $1 returning 1
)`;
const text = CHANGE_ORDER.text.replace(written, () => delivery);
if (text === CHANGE_ORDER.text)
  throw new Error('the statement that changes an order writes its event in another way now');

const [asItIs, without] = [{ ...CHANGE_ORDER }, { name: 'change_order_without_event', text }];
process.on('SIGUSR2', () => {
  Object.assign(CHANGE_ORDER, CHANGE_ORDER.text === text ? asItIs : without);
  console.log('switched');
});

// Started from the modules that were changed above, because dist/src/main.js has its own copy of them.
await serve(readConfig(), createLogger('info'));
