/** Where a change of the pages is made by a test and read back: the file, and how the title begins. */
type Saved = readonly [spec: string, title: string];

const ONCE = ['shop/once', '${name} is saved once by two clicks'] as const;
const OTHERS = ['shop/once', 'every other form is saved once by two clicks'] as const;
const PEOPLE = ['people/people', 'somebody is invited, joins, secures the account and is removed'] as const;
const EDITED = [
  'forms/saved',
  'an edited brand, category, contest, variant, and one that is removed',
] as const;
const VIEWS = ['views/saved-views', 'a view of the orders is saved once'] as const;
const ENDPOINT = ['shop/webhooks', 'an endpoint is saved, tested, paused and rotated'] as const;
const CATALOG = ['shop/catalog', 'a product is made, priced, stocked, given a variant and deleted'] as const;
const WRITTEN = ['shop/shop', 'the bot is written for, connected'] as const;
const TOLD = ['forms/told', 'what the messenger says of a provider and of a bot'] as const;
const REFUND = ['forms/told', 'a status that returns money, which asks first'] as const;
const UNDO = ['shop/undo', 'a price, stock, settings and a deletion are undone'] as const;
const APPROVED = ['people/approvals', 'what an app wants to do waits on a page'] as const;
const MANY = ['many/products', 'all products that match a filter get a category'] as const;

/** Every change that the pages make, by its operation or route. */
export const SAVED_BY: Record<string, Saved> = {
  'DELETE auth/sessions/{id}': PEOPLE,
  'DELETE stores/{storeId}/bot': WRITTEN,
  'DELETE stores/{storeId}/connections/{id}': ['people/agents', 'an agent is connected'],
  'DELETE stores/{storeId}/invitations/{id}': PEOPLE,
  'DELETE stores/{storeId}/members/{userId}': PEOPLE,
  'DELETE stores/{storeId}/orders/{orderId}/notes/{id}': [
    'forms/saved',
    'a reference of a customer, and a note',
  ],
  'DELETE stores/{storeId}/tokens/{id}': ['people/tokens', 'a token is shown once, works'],
  'DELETE stores/{storeId}/views/{id}': VIEWS,
  'DELETE stores/{storeId}/webhook': ENDPOINT,
  'POST auth/accept-invitation': PEOPLE,
  'POST auth/change-password': PEOPLE,
  'POST auth/second-factor/confirm': PEOPLE,
  'POST auth/second-factor/enrol': PEOPLE,
  'POST auth/sessions/end-others': PEOPLE,
  'POST auth/sign-in': ['frame/frame', 'leads to where the person wanted to go'],
  'POST stores/{storeId}/approvals/{id}/apply': APPROVED,
  'POST stores/{storeId}/approvals/{id}/decline': APPROVED,
  'POST stores/{storeId}/categories/reorder': ['shop/catalog', 'categories stand in a tree and are moved'],
  'POST stores/{storeId}/members': OTHERS,
  'POST stores/{storeId}/members/{userId}/transfer-ownership': ['forms/told', 'the store is handed over'],
  'POST stores/{storeId}/orders': ['orders/new-order', 'an order is placed by hand for a customer'],
  'POST stores/{storeId}/orders/bulk-status': ['shop/orders', 'many orders get one status, and back'],
  'POST stores/{storeId}/tokens': OTHERS,
  'POST stores/{storeId}/views': VIEWS,
  'POST stores/{storeId}/webhook/deliveries/redeliver-failed': ENDPOINT,
  'POST stores/{storeId}/webhook/deliveries/{id}/redeliver': ONCE,
  'POST stores/{storeId}/webhook/rotate-secret': ENDPOINT,
  'POST stores/{storeId}/webhook/test': ENDPOINT,
  'PUT stores/{storeId}/accent': ['shoppers/accent', 'the colour of the shop is on its buttons'],
  'PUT stores/{storeId}/bot/app': ['shoppers/shop', 'the owner says what the button opens'],
  'PUT stores/{storeId}/bot/messages/{kind}': WRITTEN,
  'PUT stores/{storeId}/first-sale': ['frame/first-sale', 'hiding the steps to the first sale is undone'],
  'PUT stores/{storeId}/members/{userId}': PEOPLE,
  'PUT stores/{storeId}/orders/{orderId}/items': ['forms/saved', 'products that are added to an order'],
  'PUT stores/{storeId}/profile': OTHERS,
  'PUT stores/{storeId}/views/{id}': VIEWS,
  'PUT stores/{storeId}/webhook': ENDPOINT,
  add_order_note: ['forms/saved', 'a reference of a customer, and a note'],
  adjust_bonus: ['shop/customers', 'a customer is found, gets a bonus'],
  connect_bot: TOLD,
  create_brand: ['shop/forms', 'what a form shows of a new record is what is saved'],
  create_category: OTHERS,
  create_contest: OTHERS,
  create_payment_provider: ['shop/shop', 'a payment provider keeps a secret'],
  create_product: ['products/new-product', 'a product with variants of two options'],
  create_products: ['many/import', 'what the export writes changes nothing'],
  create_promocode: ONCE,
  create_variant: ONCE,
  delete_brand: UNDO,
  delete_category: EDITED,
  delete_contest: EDITED,
  delete_order: ['shop/orders', 'the lines of an order are changed'],
  delete_payment_provider: ['shop/shop', 'a payment provider keeps a secret'],
  delete_product: CATALOG,
  delete_promocode: EDITED,
  delete_variant: EDITED,
  refund_order: REFUND,
  send_campaign: ['shop/customers', 'customers are chosen by what they bought'],
  set_customer_reference: ['forms/saved', 'a reference of a customer, and a note'],
  set_order_reference: ['shop/references', 'what other systems know an order and a customer by'],
  set_order_status: REFUND,
  ship_order: ONCE,
  ship_orders: ['many/ship', 'five parcels are shipped with a scanner'],
  test_payment_provider: TOLD,
  toggle_promocode: ['shop/catalog', 'a promocode is switched off in the list'],
  update_brand: EDITED,
  update_category: EDITED,
  update_checkout: ['shop/forms', 'an id that another field has is refused'],
  update_contest: EDITED,
  update_customer: ['shop/customers', 'a customer is found, gets a bonus'],
  update_general: UNDO,
  update_invoice_field_config: ['shop/shop', 'invoice fields take tips'],
  update_monetization: OTHERS,
  update_payment_provider: ['shop/shop', 'a payment provider keeps a secret'],
  update_prices: ['many/prices', 'fifty prices are pasted'],
  update_product: UNDO,
  update_products: MANY,
  update_promocode: ['shop/forms', 'a promocode that somebody else changed'],
  update_stock: UNDO,
  update_stocks: ['many/prices', 'fifty prices are pasted'],
  update_variant: EDITED,
};

/** What no test makes in the pages and reads back, and why. */
export const WITHOUT: Record<string, string> = {
  update_welcome_message: 'the page has PUT stores/{storeId}/bot/messages/{kind}',
  'POST auth/request-password-reset':
    'the service of these tests sends no mail, so the page has no such form',
  'POST auth/reset-password': 'as above: there is no link that works, and the refusal is tried',
  'POST auth/sign-out': 'the tests share a session, and the next ones need it',
  'POST stores/{storeId}/campaigns/test':
    'needs a chat of the messenger; test/doors/dashboard/campaigns has the route',
  'POST stores/{storeId}/notices/chat': 'the link is read; test/notices/chats follows it',
  'DELETE stores/{storeId}/notices/chat': 'needs a linked chat; test/notices/chats has the route',
  'PUT stores/{storeId}/notices/browser': 'needs a push service; test/notices/browsers has the routes',
  'POST stores/{storeId}/notices/test': 'needs a push service; test/notices/browsers has the routes',
  'DELETE stores/{storeId}/notices/browsers/{id}':
    'needs a push service; test/notices/browsers has the routes',
};
