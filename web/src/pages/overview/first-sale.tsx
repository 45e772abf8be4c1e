import { Anchor, Button, Group, Text } from '@mantine/core';
import { useChange } from '../../api/change';
import type { Output } from '../../api/client';
import { useReloadStores } from '../../api/reload-stores';
import { useStore } from '../../api/store';
import { may } from '../../api/access';
import { notifyDone } from '../../notify';
import { GoTo, GoToButton } from '../../parts/go-to';
import { Section } from '../../parts/states';
import { Badge } from '../../parts/values/values';
import { CopyButton } from '../../parts/values/copy';
import { words } from '../../words';

type Overview = Output<'get_store_overview'>;
type Step = { name: keyof typeof words.firstSale.steps; isDone: boolean; to: string };

/**
 * What a shop cannot sell without, in the order of doing it. A member sees the steps of their groups.
 * @param isPayable whether there is a provider that this store's orders can be paid through
 */
function stepsOf({ counts, bot, checkout }: Overview, isPayable: boolean): Step[] {
  const isPaidByHand = checkout?.mode === 'manual' && checkout.activeProviders === 0;
  return [
    ...(counts.products === null
      ? []
      : [{ name: 'product' as const, isDone: counts.products > counts.hiddenProducts!, to: 'products/new' }]),
    ...(bot ? [{ name: 'bot' as const, isDone: bot.connected, to: 'bot' }] : []),
    ...(checkout
      ? [
          { name: 'form' as const, isDone: checkout.fields > 0, to: 'checkout' },
          {
            name: isPaidByHand ? ('byHand' as const) : ('payment' as const),
            isDone: isPaidByHand || isPayable,
            to: 'payment-providers',
          },
        ]
      : []),
  ];
}

/**
 * The steps to the first sale, with the next one explained. They go with the first order, or when somebody
 * hides them for the store.
 */
export function FirstSale({ overview }: { overview: Overview }) {
  const { isFirstSaleHidden } = useStore();
  // Without the orders one cannot know whether there was a sale.
  const isOver = isFirstSaleHidden || overview.counts.orders !== 0;
  const isPayable = overview.checklist.some(({ item, ok }) => item === 'Shoppers can pay' && ok);
  const steps = stepsOf(overview, isPayable);
  if (isOver || steps.length === 0) return null;
  const next = steps.find(({ isDone }) => !isDone);
  const { firstSale } = words;
  return (
    <Section title={firstSale.title} hint={firstSale.hint} actions={<HideButton />}>
      <ol className="plain-list">
        {steps.map((step) => (
          <li key={step.name}>
            <Group gap="xs" mih={32} wrap="nowrap">
              <Badge tone={step.isDone ? 'green' : 'amber'}>
                {step.isDone ? firstSale.done : firstSale.open}
              </Badge>
              {step.isDone || step === next ? (
                <Text size="sm">{firstSale.steps[step.name]}</Text>
              ) : (
                <GoTo to={step.to}>{firstSale.steps[step.name]}</GoTo>
              )}
            </Group>
            {step === next && (
              <Group gap="sm" my="xs">
                <Text size="sm" c="dimmed">
                  {firstSale.how[step.name]}
                </Text>
                <GoToButton to={step.to}>{firstSale.go[step.name]}</GoToButton>
              </Group>
            )}
          </li>
        ))}
        {overview.bot?.username && <Share username={overview.bot.username} isNext={!next} />}
      </ol>
    </Section>
  );
}

/** The last step: the address of the shop, for its shoppers. */
function Share({ username, isNext }: { username: string; isNext: boolean }) {
  const address = `https://t.me/${username}`;
  return (
    <li>
      <Group gap="xs" mih={32}>
        <Badge tone="amber">{words.firstSale.open}</Badge>
        <Text size="sm">{words.firstSale.share}</Text>
        <Anchor href={address} target="_blank" rel="noreferrer" size="sm" underline="always">
          {address}
        </Anchor>
        <CopyButton text={address} />
      </Group>
      {isNext && (
        <Text size="sm" c="dimmed">
          {words.firstSale.shareHint}
        </Text>
      )}
    </li>
  );
}

function HideButton() {
  const { role } = useStore();
  const reload = useReloadStores();
  const change = useChange('PUT stores/{storeId}/first-sale');
  const hide = async () => {
    if (!(await change.make({ hidden: true }))) return;
    notifyDone(words.firstSale.hidden, { undo: () => change.send({ hidden: false }).then(() => reload()) });
    await reload();
  };
  if (!may(role, 'write')) return null;
  return (
    <Button variant="subtle" color="gray" loading={change.isPending} onClick={() => void hide()}>
      {words.firstSale.hide}
    </Button>
  );
}
