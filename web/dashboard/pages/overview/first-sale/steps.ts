import { isWithin } from '../../../api/access';
import type { Output } from '../../../api/client';
import { useRead } from '../../../api/queries';
import { useStore } from '../../../api/store';
import type { words } from '../../../words/all';

type Overview = Output<'get_store_overview'>;

/** What is finished over the page; every other step has a page of its own. */
export type Drawer = 'bot' | 'messages';

export interface Step {
  name: keyof typeof words.firstSale.steps;
  isDone: boolean;
  to: string;
  drawer?: Drawer;
}

/** The messages about orders that a store switches on, in the order in which a shopper reads them. */
export const MESSAGES = ['placed', 'paid', 'delivered', 'cancelled'] as const;

const useMessage = (kind: (typeof MESSAGES)[number], enabled: boolean) =>
  useRead('GET stores/{storeId}/bot/messages/{kind}', { kind }, { enabled }).data;

/** What the overview does not tell: whether the member is told of orders, and shoppers of theirs. */
function useTold(bot: Overview['bot'], isAsked: boolean) {
  const store = useStore();
  const mayRead = isAsked && isWithin(store, ['find_orders']);
  const notices = useRead('GET stores/{storeId}/notices', {}, { enabled: mayRead }).data;
  const isBotMine = isAsked && bot !== null;
  const [placed, paid, delivered, cancelled] = MESSAGES;
  const messages = [
    useMessage(placed, isBotMine),
    useMessage(paid, isBotMine),
    useMessage(delivered, isBotMine),
    useMessage(cancelled, isBotMine),
  ];
  return {
    /** Undefined while it is not known. */
    isTold: notices && notices.chat.state === 'on',
    isTelling: messages.includes(undefined) ? undefined : messages.some((one) => one!.enabled),
  };
}

/**
 * What a shop cannot sell without, and what makes its first sale a good one, in the order of doing it. A
 * member sees the steps of their groups.
 */
export function useSteps({ counts, bot, checkout, checklist }: Overview, isAsked: boolean): Step[] {
  const { isTold, isTelling } = useTold(bot, isAsked);
  const isPaidByHand = checkout?.mode === 'manual' && checkout.activeProviders === 0;
  const isPayable = checklist.some(({ item, ok }) => item === 'Shoppers can pay' && ok);
  const mayOrder = isWithin(useStore(), ['find_orders']);
  const step = (name: Step['name'], isDone: boolean, to: string, drawer?: Drawer): Step[] => [
    { name, isDone, to, drawer },
  ];
  return [
    ...(counts.products === null
      ? []
      : step('product', counts.products > counts.hiddenProducts!, 'products/new')),
    ...(checkout
      ? [
          ...step('form', checkout.fields > 0, 'checkout'),
          ...(isPaidByHand
            ? step('byHand', true, 'payment-providers')
            : step('payment', isPayable, 'payment-providers')),
        ]
      : []),
    ...(bot ? step('bot', bot.connected, 'bot', 'bot') : []),
    ...(isTold === undefined ? [] : step('notices', isTold, 'notices')),
    ...(isTelling === undefined ? [] : step('messages', isTelling, 'bot?message=placed', 'messages')),
    ...(mayOrder ? step('try', false, 'orders/new?for=me') : []),
  ];
}
