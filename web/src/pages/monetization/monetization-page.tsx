import { Select, SimpleGrid, Stack, Switch, Textarea } from '@mantine/core';
import type { Output } from '../../api/client';
import { ConfigForm, type Draft } from '../../parts/forms/draft';
import { MoneyInput } from '../../parts/forms/money-input';
import { PageHead, Section } from '../../parts/states';
import { ORDER_STATUSES } from '../../parts/values/values';
import { words } from '../../words';
import { CategoryRates, Levels, Promotions } from './cashback-tables';
import type { Cashback, Monetization } from './monetization';
import { Percent } from './percent';
import { WhatWouldItEarn } from './what-would-it-earn';

const monetization = ({ updatedAt: _, ...rest }: Output<'get_monetization'>): Monetization => rest;

export default function MonetizationPage() {
  return (
    <Stack maw={960}>
      <PageHead title={words.monetization.title} />
      <ConfigForm get="get_monetization" update="update_monetization" pick={monetization}>
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
  return (
    <Section title={words.monetization.bonus} hint={words.monetization.bonusHint}>
      <Percent
        label={words.monetization.maxPercentage}
        value={bonus.maxPercentage}
        error={errorOf('bonus.maxPercentage')}
        onChange={(maxPercentage) => change({ bonus: { ...bonus, maxPercentage } })}
      />
      <Switch
        label={words.monetization.exclusive}
        checked={bonus.mutualExclusivityWithPromocode}
        onChange={(event) =>
          change({ bonus: { ...bonus, mutualExclusivityWithPromocode: event.currentTarget.checked } })
        }
      />
    </Section>
  );
}

function Referral({ value: { referral }, change, errorOf }: Draft<Monetization>) {
  const set = (part: Partial<Monetization['referral']>) => change({ referral: { ...referral, ...part } });
  return (
    <Section title={words.monetization.referral}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <MoneyInput
          label={words.monetization.joinBonus}
          value={referral.referralJoinBonus}
          error={errorOf('referral.referralJoinBonus')}
          onChange={(amount) => set({ referralJoinBonus: amount ?? 0 })}
        />
        <MoneyInput
          label={words.monetization.referrerBonus}
          value={referral.referrerOrderBonus}
          error={errorOf('referral.referrerOrderBonus')}
          onChange={(amount) => set({ referrerOrderBonus: amount ?? 0 })}
        />
        <Select
          label={words.monetization.frequency}
          allowDeselect={false}
          data={(['once', 'every_order'] as const).map((value) => ({
            value,
            label: words.monetization.frequencies[value],
          }))}
          value={referral.referrerBonusFrequency}
          onChange={(frequency) => set({ referrerBonusFrequency: frequency as 'once' | 'every_order' })}
        />
      </SimpleGrid>
    </Section>
  );
}

const TRIGGERS = ['on_order_place', 'on_payment', 'on_status'] as const;

function CashbackRules({ value: { cashback }, change, errorOf }: Draft<Monetization>) {
  const set = (part: Partial<Cashback>) => change({ cashback: { ...cashback, ...part } });
  const setTrigger = (trigger: Cashback['cashbackTrigger']) =>
    set({
      cashbackTrigger: trigger,
      cashbackTriggerStatus:
        trigger === 'on_status' ? (cashback.cashbackTriggerStatus ?? 'DELIVERED') : undefined,
    });
  return (
    <Section title={words.monetization.cashback} hint={words.monetization.cashbackHint}>
      <Switch
        label={words.monetization.enabled}
        checked={cashback.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
      <Textarea
        label={words.monetization.explanation}
        value={cashback.description ?? ''}
        error={errorOf('cashback.description')}
        autosize
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label={words.monetization.trigger}
          allowDeselect={false}
          data={TRIGGERS.map((value) => ({ value, label: words.monetization.triggers[value] }))}
          value={cashback.cashbackTrigger}
          onChange={(trigger) => setTrigger(trigger as Cashback['cashbackTrigger'])}
        />
        {cashback.cashbackTrigger === 'on_status' && (
          <Select
            label={words.orders.status}
            allowDeselect={false}
            data={ORDER_STATUSES.map((value) => ({ value, label: words.status[value] }))}
            value={cashback.cashbackTriggerStatus ?? null}
            error={errorOf('cashback.cashbackTriggerStatus')}
            onChange={(status) => set({ cashbackTriggerStatus: status as Cashback['cashbackTriggerStatus'] })}
          />
        )}
        <MoneyInput
          label={words.monetization.cap}
          value={cashback.maxCashbackPerOrder}
          error={errorOf('cashback.maxCashbackPerOrder')}
          onChange={(maxCashbackPerOrder) => set({ maxCashbackPerOrder })}
        />
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
