import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../../words';
import { EditIcon, TrashIcon } from '../icons';
import { OpenMenu, type OpenMenuProps } from './open-menu';

export interface RowMenuProps {
  onEdit?: () => void;
  onRemove?: () => void;
  /** Further entries, between the two. */
  children?: ReactNode;
}

export const RowMenuItems = ({ button, onEdit, onRemove, children }: RowMenuProps & OpenMenuProps) => (
  <OpenMenu button={button} position="bottom-end" withinPortal>
    {onEdit && (
      <Menu.Item leftSection={<EditIcon />} onClick={onEdit}>
        {words.common.edit}
      </Menu.Item>
    )}
    {children}
    {onRemove && (
      <Menu.Item color="red" leftSection={<TrashIcon />} onClick={onRemove}>
        {words.common.delete}
      </Menu.Item>
    )}
  </OpenMenu>
);
