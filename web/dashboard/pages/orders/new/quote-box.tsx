import { Group, Stack, Text } from '@mantine/core';
import type { RouteOutput } from '../../../api/client';
import { inWords } from '../../../api/telling/in-words';
import { Section } from '../../../parts/states';
import { Money } from '../../../parts/values/values';
import { words } from '../../../words/all';

type Quote = RouteOutput<'POST stores/{storeId}/orders/quote'>;

/** What the order costs now, or why it cannot be placed. */
export function QuoteBox({ quote, error }: { quote?: Quote; error: Error | null }) {
  return (
    <Section title={words.newOrder.sum}>
      {error ? (
        <Text size="sm" c="var(--red)" role="alert">
          {inWords(error)}
        </Text>
      ) : quote ? (
        <Sums {...quote} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.newOrder.sumHint}
        </Text>
      )}
    </Section>
  );
}

function Sums({ lines, adjustments, promocode, bonus, tip, total }: Quote) {
  const rows: [string, number][] = [
    ...lines.map(({ title, quantity, price }): [string, number] => [
      `${quantity} × ${title}`,
      quantity * price,
    ]),
    ...adjustments.map(({ label, amount }): [string, number] => [label ?? '', amount]),
    ...(promocode ? [[promocode.code, -promocode.amount] as [string, number]] : []),
    ...(bonus ? [[words.newOrder.bonus, -bonus] as [string, number]] : []),
    ...(tip ? [[words.newOrder.tip, tip] as [string, number]] : []),
  ];
  return (
    <div role="status">
      <Stack component="dl" gap={6} m={0}>
        {rows.map(([name, amount], i) => (
          <Group key={i} justify="space-between" wrap="nowrap" gap="md">
            <Text component="dt" size="sm" className="as-typed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0}>
              <Money minor={amount} />
            </Text>
          </Group>
        ))}
        <Group justify="space-between" wrap="nowrap" gap="md" fw={650}>
          <dt>{words.orders.total}</dt>
          <Text component="dd" m={0} fw={650}>
            <Money minor={total} />
          </Text>
        </Group>
      </Stack>
    </div>
  );
}
