import { LinkIcon, SparkIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'agents',
      title: () => words.agents.title,
      menu: { section: 'partners', icon: <SparkIcon />, order: 10 },
      operations: [],
      load: () => import('./agents-page'),
    },
    {
      path: 'connections',
      title: () => words.connections.title,
      menu: { section: 'partners', icon: <LinkIcon />, order: 40 },
      operations: [],
      load: () => import('./connections-page'),
    },
  ],
} satisfies PageGroup;
