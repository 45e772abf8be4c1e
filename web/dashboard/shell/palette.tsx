import { Spotlight, type SpotlightStore } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useGo } from '../address';
import { may } from '../api/access';
import { useRead } from '../api/queries';
import { useStore } from '../api/store';
import { customerName } from '../parts/values/customer-name';
import { BoxIcon, BagIcon, PeopleIcon, SearchIcon, TicketIcon } from '../parts/icons';
import { ACTIONS, menuFor, opens, PAGES } from '../registry';
import { words } from '../words/all';

/** The search starts when nobody has typed for this long. */
const PAUSE_MS = 200;

/**
 * Opened by Ctrl+K or /. Finds all pages and actions, an order by its number, and the store's records that
 * match the text.
 */
export function Palette({ store }: { store: SpotlightStore }) {
  const go = useGo();
  const [text, setText] = useState('');
  // Longer numbers, and those that begin with 0, are phone numbers.
  const orderNumber = /^#?([1-9]\d{0,8})$/.exec(text.trim())?.[1];
  const order = { id: `orders/${orderNumber}`, label: words.orders.one(orderNumber!), keywords: text };
  // The service may have found a record by something other than its name. With the typed text as keywords it
  // passes the palette's own filter.
  const found = useFound(text).map((one) => ({ ...one, keywords: text }));
  const entries = [
    ...(orderNumber ? [order] : []),
    ...usePlaces(),
    ...found.filter(({ id }) => id !== order.id),
  ];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      limit={16}
      highlightQuery
      scrollable
      attributes={{ content: { 'aria-label': words.common.search } }}
      nothingFound={words.common.nothingFound}
      searchProps={{
        placeholder: words.palette.placeholder,
        leftSection: <SearchIcon size={16} />,
        'aria-label': words.common.search,
      }}
      actions={entries.map((entry) => ({ ...entry, onClick: () => go(entry.id) }))}
    />
  );
}

/** Pages that are in no menu, or below another one. */
const ELSEWHERE = ['notices', 'orders/ship', 'products/import'] as const;

/** The pages and actions, each with its address, found by what people call what is on them too. */
function usePlaces() {
  const { keywords } = words.palette;
  const store = useStore();
  const menu = menuFor(store);
  const shown = menu.flatMap(({ pages }) => pages.map(({ path }) => path));
  const isShown = (to: string) => shown.includes(to.split(/[?/]/)[0]);
  return [
    ...menu
      .flatMap(({ pages }) => pages)
      .map(({ path, title, menu }) => ({
        ...{ id: path, label: title(), leftSection: menu!.icon },
        keywords: keywords[path as keyof typeof keywords],
      })),
    ...ELSEWHERE.filter((path) => PAGES.some((page) => page.path === path && opens(store, page))).map(
      (path) => ({
        ...{ id: path, label: PAGES.find((page) => page.path === path)!.title() },
        keywords: keywords[path],
      }),
    ),
    ...ACTIONS.filter(({ scope, to }) => may(store.role, scope) && isShown(to)).map(({ title, to }) => ({
      id: to,
      label: title(),
    })),
  ];
}

/** Matching orders, customers, products and promocodes, each with its address. */
function useFound(text: string) {
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data } = useRead('GET stores/{storeId}/search', { q }, { enabled: q.length > 1 });
  if (!data || q.length < 2 || q !== text.trim()) return [];
  const hasPage = (path: string) => PAGES.some((page) => page.path === path);
  return [
    ...data.orders.map(({ id, customerName: name, items }) => ({
      id: `orders/${id}`,
      label: words.orders.one(id),
      description: [name, items].filter(Boolean).join(' · '),
      leftSection: <BagIcon />,
    })),
    ...data.customers.map((customer) => ({
      id: `customers/${customer.id}`,
      label: customerName(customer),
      description: words.pages.customer,
      leftSection: <PeopleIcon />,
    })),
    ...data.products.map(({ id, title = '', productId }) => ({
      id: hasPage('products/$productId') ? `products/${id}` : `products?text=${encodeURIComponent(title)}`,
      label: title,
      description: `${words.pages.products} · ${productId}`,
      leftSection: <BoxIcon />,
    })),
    ...data.promocodes.map(({ id, code }) => ({
      id: `promocodes?edit=${id}`,
      label: code,
      description: words.pages.promocodes,
      leftSection: <TicketIcon />,
    })),
  ];
}
