import { Menu } from '@mantine/core';
import { useSearch } from '../../address';
import { useChange } from '../../api/change';
import { notifyDone } from '../../notify';
import { words } from '../../words/all';
import { EditIcon, TrashIcon } from '../icons';
import { OpenMenu, type OpenMenuProps } from '../menus/open-menu';
import type { View, Viewed } from './query';

/** Renames or deletes the view that is open. Its filters stay, and so a deletion can be undone. */
export function ViewMenu({ button, view, onRename }: OpenMenuProps & { view: View; onRename: () => void }) {
  const [, setSearch] = useSearch();
  const remove = useChange('DELETE stores/{storeId}/views/{id}');
  const create = useChange('POST stores/{storeId}/views');
  const { id, name, query, mayDelete } = view;
  const removeIt = async () => {
    if (!(await remove.make({ id }))) return;
    setSearch({ view: null });
    notifyDone(words.viewForms.deleted(name), {
      undo: () => create.send({ page: view.page as Viewed, name, query }),
    });
  };
  return (
    <OpenMenu button={button} position="bottom-end">
      <Menu.Item leftSection={<EditIcon />} onClick={onRename}>
        {words.viewForms.rename}
      </Menu.Item>
      <Menu.Item
        leftSection={<TrashIcon />}
        disabled={!mayDelete}
        color="red"
        onClick={() => void removeIt()}
      >
        {mayDelete ? words.common.delete : words.viewForms.notYours}
      </Menu.Item>
    </OpenMenu>
  );
}
