import { HistoryIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { loadAuditNames, words } from '../../words';

export default {
  pages: [
    {
      path: 'audit',
      title: () => words.pages.audit,
      menu: { section: 'account', icon: <HistoryIcon />, order: 40 },
      operations: [],
      needs: 'all',
      load: async () => (await Promise.all([import('./audit-page'), loadAuditNames()]))[0],
    },
  ],
} satisfies PageGroup;
