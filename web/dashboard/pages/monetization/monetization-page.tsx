import { Select, SimpleGrid, Stack, Switch, Textarea } from '@mantine/core';
import type { Output } from '../../api/client';
import { ConfigForm, type Draft } from '../../parts/forms/config-form';
import type { FieldTexts } from '../../parts/forms/differences';
import { choicesOf, type Inputs, inputsOf } from '../../parts/inputs/inputs-of';
import { MoneyInput } from '../../parts/inputs/money-input';
import { PageHead, Section } from '../../parts/states';
import { ORDER_STATUSES } from '../../parts/values/values';
import { words } from '../../words/all';
import { CategoryRates, Levels, Promotions } from './cashback-tables';
import type { Cashback, Monetization } from './monetization';
import { Percent } from './percent';
import { WhatWouldItEarn } from './what-would-it-earn';

const monetization = ({ updatedAt: _, ...rest }: Output<'get_monetization'>): Monetization => rest;

const textsOf = (): FieldTexts => {
  const { monetization: texts, fields, orders, status } = words;
  return {
    labels: {
      ...texts,
      ...{ mutualExclusivityWithPromocode: texts.exclusive, referralJoinBonus: texts.joinBonus },
      ...{ referrerOrderBonus: texts.referrerBonus, referrerBonusFrequency: texts.frequency },
      ...{
        description: texts.explanation,
        cashbackTrigger: texts.trigger,
        cashbackTriggerStatus: orders.status,
      },
      ...{ maxCashbackPerOrder: texts.cap, levelName: fields.name, label: fields.name },
      ...{ minOrders: texts.from, maxOrders: texts.to, cashbackPercentage: texts.rate },
      ...{ categoryKey: texts.category, startsAt: texts.firstDay, endsAt: texts.lastDay },
    },
    major: ['referralJoinBonus', 'referrerOrderBonus', 'maxCashbackPerOrder'],
    choices: {
      ...{ referrerBonusFrequency: texts.frequencies, cashbackTrigger: texts.triggers },
      ...{ cashbackTriggerStatus: status, mode: texts.modes },
    },
  };
};

export default function MonetizationPage() {
  return (
    <Stack maw={960}>
      <PageHead title={words.pages.monetization} />
      <ConfigForm get="get_monetization" update="update_monetization" pick={monetization} texts={textsOf()}>
        {(draft) => (
          <>
            <Bonus {...draft} />
            <Referral {...draft} />
            <CashbackRules {...draft} />
            <WhatWouldItEarn cashback={draft.value.cashback} />
          </>
        )}
      </ConfigForm>
    </Stack>
  );
}

function Bonus({ value: { bonus }, change, errorOf }: Draft<Monetization>) {
  const set = (part: Partial<Monetization['bonus']>) => change({ bonus: { ...bonus, ...part } });
  const inputs = inputsOf(bonus, set, (name) => errorOf(`bonus.${name}`));
  return (
    <Section title={words.monetization.bonus} hint={words.monetization.bonusHint}>
      <Percent {...inputs.value('maxPercentage')} label={words.monetization.maxPercentage} />
      <Switch {...inputs.switch('mutualExclusivityWithPromocode')} label={words.monetization.exclusive} />
    </Section>
  );
}

function Referral({ value: { referral }, change, errorOf }: Draft<Monetization>) {
  const set = (part: Partial<Monetization['referral']>) => change({ referral: { ...referral, ...part } });
  const inputs = inputsOf(referral, set, (name) => errorOf(`referral.${name}`));
  return (
    <Section title={words.monetization.referral}>
      <SimpleGrid className="fields" cols={{ base: 1, sm: 3 }}>
        <MoneyInput
          {...inputs.value('referralJoinBonus')}
          label={words.monetization.joinBonus}
          onChange={(amount) => set({ referralJoinBonus: amount ?? 0 })}
        />
        <MoneyInput
          {...inputs.value('referrerOrderBonus')}
          label={words.monetization.referrerBonus}
          onChange={(amount) => set({ referrerOrderBonus: amount ?? 0 })}
        />
        <Select
          {...inputs.value('referrerBonusFrequency')}
          label={words.monetization.frequency}
          allowDeselect={false}
          data={choicesOf(['once', 'every_order'], words.monetization.frequencies)}
        />
      </SimpleGrid>
    </Section>
  );
}

function CashbackRules({ value: { cashback }, change, errorOf }: Draft<Monetization>) {
  const set = (part: Partial<Cashback>) => change({ cashback: { ...cashback, ...part } });
  const inputs = inputsOf(cashback, set, (name) => errorOf(`cashback.${name}`));
  return (
    <Section title={words.monetization.cashback} hint={words.monetization.cashbackHint}>
      <Switch {...inputs.switch('enabled')} label={words.monetization.enabled} />
      <Textarea {...inputs.text('description')} label={words.monetization.explanation} autosize />
      <SimpleGrid className="fields" cols={{ base: 1, sm: 3 }}>
        <Trigger {...{ cashback, inputs }} onChange={set} />
        <MoneyInput {...inputs.value('maxCashbackPerOrder')} label={words.monetization.cap} />
      </SimpleGrid>
      <Levels rows={cashback.levels} onChange={(levels) => set({ levels })} errorOf={errorOf} />
      <CategoryRates
        rows={cashback.categoryRates}
        onChange={(categoryRates) => set({ categoryRates })}
        errorOf={errorOf}
      />
      <Promotions
        rows={cashback.promotions}
        onChange={(promotions) => set({ promotions })}
        errorOf={errorOf}
      />
    </Section>
  );
}

const TRIGGERS = ['on_order_place', 'on_payment', 'on_status'] as const;

interface TriggerProps {
  cashback: Cashback;
  inputs: Inputs<Cashback>;
  onChange: (part: Partial<Cashback>) => void;
}

/** When the cashback is given: at a step of the order, or with one of its statuses. */
function Trigger({ cashback: { cashbackTrigger, cashbackTriggerStatus }, inputs, onChange }: TriggerProps) {
  const choose = (trigger: string | null) =>
    onChange({
      cashbackTrigger: trigger as Cashback['cashbackTrigger'],
      cashbackTriggerStatus: trigger === 'on_status' ? (cashbackTriggerStatus ?? 'DELIVERED') : undefined,
    });
  return (
    <>
      <Select
        label={words.monetization.trigger}
        allowDeselect={false}
        data={choicesOf(TRIGGERS, words.monetization.triggers)}
        value={cashbackTrigger}
        onChange={choose}
      />
      {cashbackTrigger === 'on_status' && (
        <Select
          {...inputs.value('cashbackTriggerStatus')}
          label={words.orders.status}
          allowDeselect={false}
          data={choicesOf(ORDER_STATUSES, words.status)}
        />
      )}
    </>
  );
}
