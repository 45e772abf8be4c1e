import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GROUPS } from '../../packages/client/src/generated/operations.js';
import { SCOPES } from '../../web/dashboard/api/generated/operations.js';

const PAGES = path.resolve(__dirname, '../../web/dashboard/pages');

/** Operations that change something and that no page of the dashboard runs, and why. */
const WITHOUT_A_PAGE: Record<string, string> = {
  preview_change: 'forms of the dashboard show what they change; previews are for programs and agents',
  apply_change: 'as preview_change',
  undo_change: 'no page of its own: the notices of changes offer it',
  create_promocodes: 'codes for many customers come from a program',
  resend_webhook_deliveries: 'the page of webhooks has the routes of redelivering, one or all that failed',
  send_messages: 'texts that differ by customer come from a program',
  set_order_statuses: 'the list of orders has POST orders/bulk-status, which also answers what undoing needs',
};

/**
 * Operations that a page has through a route of the dashboard's own, which does the same and more, or through
 * a form that other pages have too, and what calls it.
 */
const BY_ROUTE: Record<string, string> = {
  connect_bot: '<ConnectBot',
  list_campaigns: 'GET stores/{storeId}/campaigns',
  get_campaign: 'GET stores/{storeId}/campaigns/{id}',
  get_welcome_message: 'GET stores/{storeId}/bot/messages/{kind}',
  update_welcome_message: 'PUT stores/{storeId}/bot/messages/{kind}',
};

const scopes: Record<string, string> = SCOPES;

describe('the pages of the dashboard', () => {
  const operations = Object.values(GROUPS).flatMap((group) => Object.values(group) as string[]);
  const declared = readdirSync(PAGES).flatMap((group) => {
    const index = readFileSync(path.join(PAGES, group, 'index.tsx'), 'utf8');
    return [...index.matchAll(/'([a-z]+_[a-z_]+)'/g)]
      .map(([, name]) => name)
      .filter((name) => operations.includes(name));
  });

  it('can change what every operation changes, except those listed with a reason', () => {
    const missing = operations.filter((name) => !declared.includes(name));
    expect(missing.filter((name) => scopes[name] !== 'read').sort()).toEqual(
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
