import { KeyIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'tokens',
      title: () => words.pages.tokens,
      menu: { section: 'partners', icon: <KeyIcon />, order: 20 },
      scope: 'admin',
      operations: [],
      load: () => import('./tokens-page'),
    },
  ],
  actions: [{ title: () => words.creates.token, to: 'tokens?new=1', scope: 'admin' }],
} satisfies PageGroup;
