import { ActionIcon } from '@mantine/core';
import { words } from '../../words';
import { DotsIcon } from '../icons';
import { laterMenu, MenuButton } from './menu-button';
import type { RowMenuProps } from './row-menu-items';

const Items = laterMenu(() => import('./row-menu-items').then((file) => file.RowMenuItems));

/** What can be done with a row. */
export function RowMenu({ name, ...items }: RowMenuProps & { name: string }) {
  const button = (
    <ActionIcon variant="subtle" color="gray" aria-label={`${words.common.actions}: ${name}`}>
      <DotsIcon />
    </ActionIcon>
  );
  return <MenuButton button={button} menu={(target) => <Items button={target} {...items} />} />;
}
