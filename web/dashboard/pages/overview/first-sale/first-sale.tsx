import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change';
import type { Output } from '../../../api/client';
import { useReloadStores } from '../../../api/reload-stores';
import { useStore } from '../../../api/store';
import { may } from '../../../api/access';
import { notifyDone } from '../../../notify';
import { GoTo, GoToButton } from '../../../parts/go-to';
import { Section } from '../../../parts/states';
import { Badge } from '../../../parts/values/values';
import { CopyButton } from '../../../parts/values/copy';
import { later } from '../../../parts/lazy-component';
import { words } from '../../../words/all';
import { type Drawer, type Step, useSteps } from './steps';

type Overview = Output<'get_store_overview'>;

const drawers = () => import('./drawers');
const ConnectBot = later(() => import('../../../parts/forms/connect-bot').then((file) => file.ConnectBot));
const MessagesDrawer = later(() => drawers().then((file) => file.MessagesDrawer));

/**
 * The steps to the first sale, with the next one explained. They go with the first order, or when somebody
 * hides them for the store.
 */
export function FirstSale({ overview }: { overview: Overview }) {
  const { isFirstSaleHidden } = useStore();
  // Without the orders one cannot know whether there was a sale.
  const isOver = isFirstSaleHidden || overview.counts.orders !== 0;
  const steps = useSteps(overview, !isOver);
  const [drawer, open] = useState<Drawer | null>(null);
  if (isOver || steps.length === 0) return null;
  const next = steps.find(({ isDone }) => !isDone);
  const { firstSale } = words;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title={firstSale.title} hint={firstSale.hint} actions={<HideButton />}>
      <div className="meter" role="img" aria-label={firstSale.progress(done, steps.length)}>
        <div style={{ width: `${(done / steps.length) * 100}%` }} />
      </div>
      <ol className="plain-list">
        {steps.map((step) => (
          <li key={step.name}>
            <Group gap="xs" mih={32} wrap="nowrap">
              <Badge tone={step.isDone ? 'green' : 'amber'}>
                {step.isDone ? firstSale.done : firstSale.open}
              </Badge>
              <StepName step={step} isHere={step.isDone || step === next} onOpen={open} />
            </Group>
            {step === next && <Next step={step} onOpen={open} />}
          </li>
        ))}
        {overview.bot?.username && <Share username={overview.bot.username} />}
      </ol>
      {drawer === 'bot' && <ConnectBot onClose={() => open(null)} />}
      {drawer === 'messages' && <MessagesDrawer onClose={() => open(null)} />}
    </Section>
  );
}

/** A step that is neither done nor explained leads to where it is done. */
function StepName({ step, isHere, onOpen }: StepProps & { isHere: boolean }) {
  const name = words.firstSale.steps[step.name];
  const { drawer } = step;
  if (isHere) return <Text size="sm">{name}</Text>;
  if (!drawer) return <GoTo to={step.to}>{name}</GoTo>;
  return (
    <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onOpen(drawer)}>
      {name}
    </Anchor>
  );
}

interface StepProps {
  step: Step;
  onOpen: (drawer: Drawer) => void;
}

/** What the next step is for, and where it is done. */
function Next({ step, onOpen }: StepProps) {
  const { how, go } = words.firstSale;
  const { drawer } = step;
  return (
    <Group gap="sm" my="xs">
      <Text size="sm" c="dimmed">
        {how[step.name]}
      </Text>
      {drawer ? (
        <Button onClick={() => onOpen(drawer)}>{go[step.name]}</Button>
      ) : (
        <GoToButton to={step.to}>{go[step.name]}</GoToButton>
      )}
    </Group>
  );
}

/** The last step: the address of the shop, for its shoppers. */
function Share({ username }: { username: string }) {
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
