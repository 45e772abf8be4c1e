import { Alert, Button, Checkbox, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { evaluateCheckout } from '../../../../src/groups/checkout/checkout-rules.js';
import { Section } from '../../parts/states';
import { Money } from '../../parts/values/values';
import { words } from '../../words';
import type { Field } from './checkout';
import { byId } from './field-ids';

type Answers = Record<string, string>;

/** The form as a shopper sees it, including its conditions, which the service's own code evaluates. */
export function Preview({ fields }: { fields: Field[] }) {
  const [answers, setAnswers] = useState<Answers>({});
  const rows = fields.map(({ id, label, type }) => ({ id, label, type, value: answers[id] ?? '' }));
  const { visible, required, adjustments } = evaluateCheckout(fields, rows);
  const surcharge = adjustments.reduce(
    (sum, { operator, value }) => sum + (operator === 'add' ? value : -value),
    0,
  );
  return (
    <Section title={words.checkout.preview} hint={words.checkout.previewHint}>
      <Stack gap="sm">
        {byId(fields)
          .filter(({ id }) => visible.has(id))
          .map((field) => (
            <Shown
              key={field.id}
              field={field}
              required={required.has(field.id)}
              value={answers[field.id] ?? ''}
              onChange={(value) => setAnswers((all) => ({ ...all, [field.id]: value }))}
            />
          ))}
        {surcharge !== 0 && (
          <Text size="sm" fw={600} role="status">
            {words.checkout.priceChanges} <Money major={surcharge} />
          </Text>
        )}
      </Stack>
    </Section>
  );
}

interface ShownProps {
  field: Field;
  required: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** The service reads options one per line or separated by commas; so does this. */
const optionsOf = ({ options }: Field) => [
  ...new Set((options ?? '').split(/\n|,/).flatMap((text) => text.trim() || [])),
];

function Shown({ field, required, value, onChange }: ShownProps) {
  const { label, type, placeholder, content } = field;
  const common = { label: label || field.id, required, placeholder };
  const text = {
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  switch (type) {
    case 'textarea':
      return <Textarea {...common} {...text} />;
    case 'select':
      return (
        <Select
          {...common}
          data={optionsOf(field)}
          value={value || null}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    case 'checkbox':
      return (
        <Checkbox
          label={common.label}
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case 'bonus_toggle':
      return <Switch label={common.label} />;
    case 'label':
      return <Text size="sm">{content ?? label}</Text>;
    case 'warning':
    case 'info':
      return <Alert color={type === 'info' ? 'indigo' : 'yellow'}>{content ?? label}</Alert>;
    case 'payment_button':
      return <Button variant="default">{common.label}</Button>;
    default:
      return <TextInput {...common} {...text} type={type === 'date' ? 'date' : 'text'} />;
  }
}
