import { ShieldIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'security',
      title: () => words.pages.security,
      menu: { section: 'account', icon: <ShieldIcon />, order: 30 },
      operations: [],
      load: () => import('./security-page'),
    },
  ],
} satisfies PageGroup;
