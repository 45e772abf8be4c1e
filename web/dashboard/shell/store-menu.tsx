import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Store } from '../api/store';
import { OpenMenu, type OpenMenuProps } from '../parts/menus/open-menu';

/** The menu that switches to another store. */
export function StoreMenu({ store, stores, button }: OpenMenuProps & { store: Store; stores: Store[] }) {
  const navigate = useNavigate();
  return (
    <OpenMenu button={button} position="bottom-start">
      {stores.map(({ id, name }) => (
        <Menu.Item
          key={id}
          aria-current={id === store.id}
          onClick={() => void navigate({ to: `/${id}/overview` })}
        >
          {name}
        </Menu.Item>
      ))}
    </OpenMenu>
  );
}
