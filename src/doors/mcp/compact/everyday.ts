/** The tools of every day, by how often they are used. */
export const EVERYDAY: readonly string[] = [
  ...['get_store_overview', 'find_orders', 'get_order', 'find_products', 'find_customers'],
  ...['set_order_statuses', 'ship_orders', 'refund_order', 'update_stocks', 'update_prices'],
  ...['send_campaign', 'get_sales_report', 'preview_change', 'apply_change', 'list_activity', 'undo_change'],
];

/** The next ones; all others follow by name. */
const OFTEN: readonly string[] = [
  ...['get_product', 'update_products', 'create_products', 'update_product', 'list_categories'],
  ...['get_order_timeline', 'get_order_pricing', 'add_order_note', 'list_order_notes', 'set_order_status'],
  ...['ship_order', 'update_stock', 'create_promocodes', 'list_promocodes', 'get_customer'],
  ...['update_customer', 'adjust_bonus', 'list_bonus_history', 'send_messages', 'list_campaigns'],
  ...['get_campaign', 'get_checkout', 'update_checkout', 'get_settings', 'create_category'],
];

const PLACES = new Map([...EVERYDAY, ...OFTEN].map((name, i) => [name, i]));

/** Hosts that cut a list keep its beginning. */
export const byUse = <Named extends { name: string }>(tools: readonly Named[]): Named[] => {
  const placeOf = ({ name }: Named) => PLACES.get(name) ?? PLACES.size;
  return [...tools].sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
};
