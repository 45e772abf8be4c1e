import { MegaphoneIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'campaigns',
      title: () => words.pages.campaigns,
      menu: { section: 'marketing', icon: <MegaphoneIcon />, order: 30 },
      operations: ['list_campaigns'],
      load: () => import('./campaigns-page'),
    },
    {
      path: 'campaigns/new',
      title: () => words.creates.campaign,
      operations: ['send_campaign'],
      load: () => import('./new-campaign-page'),
    },
    {
      path: 'campaigns/$campaignId',
      title: () => words.pages.campaigns,
      operations: ['get_campaign'],
      load: () => import('./campaign-page'),
    },
  ],
  actions: [{ title: () => words.creates.campaign, to: 'campaigns/new' }],
} satisfies PageGroup;
