import { CheckIcon } from '../../parts/icons';
import { later } from '../../parts/lazy-component';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

const Waiting = later(() => import('./waiting').then((file) => file.Waiting));

export default {
  pages: [
    {
      path: 'approvals',
      title: () => words.pages.approvals,
      menu: { section: 'partners', icon: <CheckIcon />, order: 30, badge: <Waiting /> },
      scope: 'write',
      operations: [],
      load: () => import('./approvals-page'),
    },
  ],
} satisfies PageGroup;
