import { Spotlight } from '@mantine/spotlight';
import { useState } from 'react';
import { useGo } from '../address';
import { useStore } from '../api/store';
import { SearchIcon } from '../parts/icons';
import { ACTIONS, menuFor } from '../registry';
import { words } from '../words';

/** Ctrl+K or /: every page, every action, and an order by its number. */
export function Palette() {
  const { role } = useStore();
  const go = useGo();
  const [text, setText] = useState('');
  const orderNumber = /^#?(\d{1,15})$/.exec(text.trim())?.[1];
  const pages = menuFor(role).flatMap(({ pages: all }) => all);
  const actions = [
    ...(orderNumber
      ? [{ id: 'order', label: words.orders.one(orderNumber), keywords: text, onClick: () => go(`orders/${orderNumber}`) }]
      : []),
    ...pages.map(({ path, title, menu }) => ({ id: path, label: title(), leftSection: menu!.icon, onClick: () => go(path) })),
    ...ACTIONS.filter(({ access }) => access === undefined || access === role).map(({ title, to }) => ({
      id: to,
      label: title(),
      onClick: () => go(to),
    })),
  ];
  return (
    <Spotlight
      shortcut={['mod + K', '/']}
      query={text}
      onQueryChange={setText}
      limit={12}
      highlightQuery
      attributes={{ content: { 'aria-label': words.common.search } }}
      nothingFound={words.common.nothingFound}
      searchProps={{ placeholder: words.shell.palette, leftSection: <SearchIcon size={16} />, 'aria-label': words.common.search }}
      actions={actions}
    />
  );
}
