import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GROUPS } from '../../packages/client/src/generated/operations.js';

const PAGES = path.resolve(__dirname, '../../web/src/pages');

/** Operations that no page of the dashboard runs, and why. */
const WITHOUT_A_PAGE: Record<string, string> = {
  list_orders: 'find_orders lists the same orders, with the shopper and filters',
  list_sales: 'the journal is for programs; the CSV of orders has the same sums',
  list_products: 'find_products lists the same products, with filters',
  list_variants: 'get_product answers the variants of a product',
  preview_change: 'forms of the dashboard show what they change; previews are for programs and agents',
  apply_change: 'as preview_change',
  undo_change: 'no page of its own: the notices of changes offer it',
  list_activity: 'the page Activity shows the same rows, with more filters',
  list_changes: 'the feed is for programs; pages are told of changes as they happen',
  list_events: 'the feed is for programs; pages are told of changes as they happen',
  create_promocodes: 'codes for many customers come from a program',
  set_order_statuses: 'the list of orders has POST orders/bulk-status, which also answers what undoing needs',
};

/**
 * Operations that a page has through a route of the dashboard's own, which does the same and more, and what
 * calls it.
 */
const BY_ROUTE: Record<string, string> = {
  get_analytics: 'useAnalytics',
  list_campaigns: 'GET stores/{storeId}/campaigns',
  get_campaign: 'GET stores/{storeId}/campaigns/{id}',
  get_welcome_message: 'GET stores/{storeId}/bot/messages/{kind}',
  update_welcome_message: 'PUT stores/{storeId}/bot/messages/{kind}',
};

describe('the pages of the dashboard', () => {
  const operations = Object.values(GROUPS).flatMap((group) => Object.values(group) as string[]);
  const declared = readdirSync(PAGES).flatMap((group) => {
    const index = readFileSync(path.join(PAGES, group, 'index.tsx'), 'utf8');
    return [...index.matchAll(/'([a-z]+_[a-z_]+)'/g)]
      .map(([, name]) => name)
      .filter((name) => operations.includes(name));
  });

  it('use every operation except those listed with a reason', () => {
    expect(operations.filter((name) => !declared.includes(name)).sort()).toEqual(
      Object.keys(WITHOUT_A_PAGE).sort(),
    );
  });

  it('call each operation that their index.tsx declares', () => {
    for (const group of readdirSync(PAGES)) {
      const read = (file: string) => readFileSync(path.join(PAGES, group, file), 'utf8');
      const said = [
        ...(/operations: \[([^\]]*)\]/.exec(read('index.tsx'))?.[1] ?? '').matchAll(/'(\w+)'/g),
      ].map(([, name]) => name);
      const code = readdirSync(path.join(PAGES, group), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && file !== 'index.tsx')
        .map(read)
        .join('\n');
      const isRun = (name: string) =>
        code.includes(`'${name}'`) || code.includes(`"${name}"`) || code.includes(BY_ROUTE[name] ?? '\0');
      expect([group, said.filter((name) => !isRun(name))]).toEqual([group, []]);
    }
  });
});
