import { Button, Group, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Draft } from '../../parts/forms/config-form';
import { MoneyInput } from '../../parts/inputs/money-input';
import { RowEditor } from '../../parts/inputs/row-editor';
import { Section } from '../../parts/states';
import { words } from '../../words/all';
import type { Checkout, Field } from './checkout';
import { type Way, waysOf, withWays } from './delivery';

const NEW: Way = { name: '', price: 0, asksAddress: false };
const isNamed = ({ name }: Way) => name.trim() !== '';

/** The ways of delivery as rows, of which the form's fields and conditions are made. */
export function Delivery({ value: { fields }, change }: Draft<Checkout>) {
  // The rows as they are typed may have names that the fields cannot say yet.
  const [typed, setTyped] = useState<{ fields: Field[]; ways: Way[] }>();
  const ways = typed?.fields === fields ? typed.ways : waysOf(fields);
  const say = words.checkout.delivery;
  if (ways === null)
    return (
      <Section title={say.title}>
        <Text size="sm">{say.byHand}</Text>
      </Section>
    );
  const set = (changed: Way[]) => {
    const made = withWays(fields, ways, changed);
    setTyped({ fields: made, ways: changed });
    change({ fields: made });
  };
  return (
    <Section title={say.title} hint={say.hint}>
      {fields.length === 0 && (
        <Group>
          <Button variant="default" onClick={() => change({ fields: template() })}>
            {say.template}
          </Button>
        </Group>
      )}
      <RowEditor
        ordered
        title={say.ways}
        addLabel={say.add}
        rows={ways}
        nameOf={({ name }, i) => name || String(i + 1)}
        make={() => NEW}
        onChange={set}
        render={(way, replace, i) => (
          <SimpleGrid className="fields" cols={{ base: 1, sm: 3 }}>
            <TextInput
              label={say.name}
              value={way.name}
              error={problemOf(ways, i)}
              data-unreadable={problemOf(ways, i) ? true : undefined}
              onChange={({ currentTarget }) => replace({ name: currentTarget.value })}
            />
            <MoneyInput
              label={say.price}
              value={way.price}
              onChange={(price) => replace({ price: Math.max(0, price ?? 0) })}
            />
            <Switch
              label={say.asksAddress}
              checked={way.asksAddress}
              onChange={({ currentTarget }) => replace({ asksAddress: currentTarget.checked })}
            />
          </SimpleGrid>
        )}
      />
    </Section>
  );
}

/** Why the form cannot say such a name: it would be another choice, or two. */
function problemOf(ways: Way[], i: number): string | undefined {
  const name = ways[i].name.trim();
  if (name === '') return undefined;
  if (ways.some((other, j) => j !== i && other.name.trim() === name)) return words.refusals.used;
  return ways.filter(isNamed).length === 1 && name.includes(',') ? words.checkout.delivery.comma : undefined;
}

/** A form as most shops have it. */
function template(): Field[] {
  const { template: texts, ways } = words.checkout.delivery.begin;
  const asked = { required: true, defaultVisible: true };
  const fields: Field[] = [
    { id: 'name', label: texts.name, type: 'text', ...asked },
    { id: 'phone', label: texts.phone, type: 'phone', ...asked },
  ];
  const delivered = withWays(
    fields,
    [],
    ways.map((name, i) => ({ name, price: 0, asksAddress: i < ways.length - 1 })),
  );
  return [...delivered, { id: 'comment', label: texts.comment, type: 'textarea', ...asked, required: false }];
}
