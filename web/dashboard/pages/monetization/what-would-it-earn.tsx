import { SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { cashbackFor } from '../../../../src/groups/monetization/cashback.js';
import { useStore } from '../../api/store';
import { DecimalInput } from '../../parts/inputs/decimal-input';
import { MoneyInput } from '../../parts/inputs/money-input';
import { Section } from '../../parts/states';
import { Money } from '../../parts/values/values';
import { words } from '../../words/all';
import type { Cashback } from './monetization';

/** The cashback of an order placed now under the rules in the form, calculated by the service's own code. */
export function WhatWouldItEarn({ cashback }: { cashback: Cashback }) {
  const { currency, currencyDecimals } = useStore();
  const [total, setTotal] = useState<number | null>(100);
  const [earlierOrders, setEarlierOrders] = useState(0);
  const award = cashbackFor(
    {
      items: [
        {
          productId: '',
          categoryKeys: [],
          paidMinor: BigInt(Math.round((total ?? 0) * 10 ** currencyDecimals)),
        },
      ],
      placedAt: new Date(),
    },
    { earlierOrders },
    cashback,
    currency,
  );
  return (
    <Section title={words.monetization.sample} hint={words.monetization.sampleHint}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <MoneyInput label={words.orders.total} value={total} onChange={setTotal} />
        <DecimalInput
          label={words.monetization.earlierOrders}
          value={earlierOrders}
          onChange={(value) => setEarlierOrders(value ?? 0)}
        />
      </SimpleGrid>
      <Text role="status">
        {words.monetization.earns}{' '}
        <strong>{award ? <Money major={Number(award.amount)} /> : words.monetization.nothing}</strong>
      </Text>
    </Section>
  );
}
