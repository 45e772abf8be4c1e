import { PeopleIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'members',
      title: () => words.pages.members,
      menu: { section: 'account', icon: <PeopleIcon />, order: 20 },
      scope: 'admin',
      operations: [],
      load: () => import('./members-page'),
    },
  ],
  actions: [{ title: () => words.creates.member, to: 'members?new=1', scope: 'admin' }],
} satisfies PageGroup;
