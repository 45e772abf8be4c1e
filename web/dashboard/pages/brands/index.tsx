import { TagIcon } from '../../parts/icons';
import { resource } from '../../parts/lists/resource-group';
import { words } from '../../words';

export default resource(
  'brands',
  { section: 'catalog', icon: <TagIcon />, order: 30 },
  {
    ...{
      list: 'list_brands',
      get: 'get_brand',
      create: 'create_brand',
      update: 'update_brand',
      remove: 'delete_brand',
    },
    columns: () => ['name', 'websiteUrl', 'isActive', 'updatedAt'],
    words: () => words.brands,
  },
);
