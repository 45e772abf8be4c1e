import { LinkIcon, SparkIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'agents',
      title: () => words.pages.agents,
      menu: { section: 'partners', icon: <SparkIcon />, order: 10 },
      operations: [],
      load: () => import('./agents-page'),
    },
    {
      path: 'connections',
      title: () => words.pages.connections,
      menu: { section: 'partners', icon: <LinkIcon />, order: 40 },
      operations: [],
      load: () => import('./connections-page'),
    },
  ],
} satisfies PageGroup;
