import { BotIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'bot',
      title: () => words.pages.bot,
      menu: { section: 'shop', icon: <BotIcon />, order: 10 },
      operations: ['get_bot', 'connect_bot', 'get_welcome_message', 'update_welcome_message'],
      load: () => import('./bot-page'),
    },
  ],
} satisfies PageGroup;
