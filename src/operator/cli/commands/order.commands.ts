import { OrderPlacing } from '../../../groups/orders/placing/order-placing.service.js';
import { PlaceOrderFile } from '../../../groups/orders/placing/place-order.dto.js';
import { InvoiceLinks } from '../../../groups/payments/invoice-links.service.js';
import { PaymentsModule } from '../../../groups/payments/payments.module.js';
import { StoreDatabase } from '../../../platform/store/store-context.js';
import { Stores } from '../../../stores/stores.service.js';
import { validateInput } from '../../../platform/schema/validate.js';
import { readFileSync } from 'node:fs';
import { invalidInput } from '../../../platform/errors.js';
import { type Commands, text } from '../command.js';
import { inStore } from '../in-store.js';

export const COMMANDS = {
  'order place': {
    modules: [PaymentsModule],
    async run(call) {
      const { messengerUserId, firstName, lastName, username, paid, ...order } = validateInput(
        PlaceOrderFile,
        readJson(text(call.options.file)),
      );
      const shopper = { id: messengerUserId, firstName, lastName, username };
      const { app, options } = call;
      const { json } = await inStore(call, 'order.place', (ctx) =>
        app.get(OrderPlacing).place(ctx, shopper, order, paid === true),
      );
      const operator = await app.get(Stores).operator(text(options.store));
      const answer = await app
        .get(StoreDatabase)
        .inStore(operator, (ctx) => app.get(InvoiceLinks).addTo(ctx, json));
      return JSON.parse(answer.text) as unknown;
    },
  },
} satisfies Commands;

function readJson(file: string): unknown {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw invalidInput(`file could not be read: ${(error as Error).message}`);
  }
  try {
    // TextDecoder skips the byte order mark that some editors write.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    throw invalidInput('file must hold valid JSON in UTF-8');
  }
}
