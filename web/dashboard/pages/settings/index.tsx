import { GearIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'settings',
      title: () => words.pages.settings,
      menu: { section: 'shop', icon: <GearIcon />, order: 90 },
      key: 's',
      operations: ['get_settings', 'update_general'],
      load: () => import('./settings-page'),
    },
  ],
} satisfies PageGroup;
