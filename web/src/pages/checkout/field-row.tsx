import { Group, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { MoneyInput } from '../../parts/forms/money-input';
import { RowEditor } from '../../parts/forms/row-editor';
import { words } from '../../words';
import type { Field } from './checkout';

type Condition = NonNullable<Field['conditions']>[number];

const TYPES = Object.keys({
  ...{
    text: 0,
    email: 0,
    phone: 0,
    textarea: 0,
    select: 0,
    checkbox: 0,
    date: 0,
    label: 0,
    warning: 0,
    info: 0,
  },
  ...{ bonus_toggle: 0, promocode_input: 0, payment_button: 0 },
}) as Field['type'][];
const WRITTEN: Field['type'][] = ['text', 'email', 'phone', 'textarea'];
const SHOWN: Field['type'][] = ['label', 'warning', 'info', 'payment_button'];
const OPERATORS = ['equals', 'not_equals', 'contains', 'not_contains', 'is_empty', 'is_not_empty'] as const;
const ACTIONS = ['show', 'hide', 'require', 'optional', 'increase_price', 'decrease_price'] as const;

interface Props {
  field: Field;
  /** The other fields of the form, which conditions may refer to. */
  others: Field[];
  change: (part: Partial<Field>) => void;
  errorOf: (name: string) => string | undefined;
}

/** One field of the form: its question and its conditions. */
export function FieldRow({ field, others, change, errorOf }: Props) {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={words.checkout.label}
          value={field.label}
          error={errorOf('label')}
          onChange={(event) => change({ label: event.currentTarget.value })}
        />
        <Select
          label={words.checkout.type}
          allowDeselect={false}
          data={TYPES.map((value) => ({ value, label: words.checkout.types[value] }))}
          value={field.type}
          onChange={(type) => change({ type: type as Field['type'] })}
        />
        <TextInput
          label={words.checkout.id}
          value={field.id}
          error={errorOf('id')}
          onChange={(event) => change({ id: event.currentTarget.value })}
        />
      </SimpleGrid>
      {WRITTEN.includes(field.type) && (
        <TextInput
          label={words.checkout.placeholder}
          value={field.placeholder ?? ''}
          error={errorOf('placeholder')}
          onChange={(event) => change({ placeholder: event.currentTarget.value || undefined })}
        />
      )}
      {field.type === 'select' && (
        <Textarea
          label={words.checkout.options}
          description={words.checkout.optionsHint}
          value={field.options ?? ''}
          error={errorOf('options')}
          autosize
          onChange={(event) => change({ options: event.currentTarget.value })}
        />
      )}
      {SHOWN.includes(field.type) && (
        <Textarea
          label={words.checkout.content}
          value={field.content ?? ''}
          error={errorOf('content')}
          autosize
          onChange={(event) => change({ content: event.currentTarget.value })}
        />
      )}
      <Group>
        <Switch
          label={words.checkout.required}
          checked={field.required}
          onChange={(event) => change({ required: event.currentTarget.checked })}
        />
        <Switch
          label={words.checkout.visible}
          checked={field.defaultVisible}
          onChange={(event) => change({ defaultVisible: event.currentTarget.checked })}
        />
      </Group>
      <RowEditor
        title={words.checkout.conditions}
        addLabel={words.checkout.addCondition}
        rows={field.conditions ?? []}
        nameOf={(_, i) => String(i + 1)}
        make={(): Condition => ({
          dependsOn: others[0]?.id ?? '',
          operator: 'equals',
          value: '',
          action: 'show',
        })}
        onChange={(conditions) => change({ conditions })}
        render={(condition, changeCondition, i) => (
          <ConditionRow
            condition={condition}
            others={others}
            change={changeCondition}
            errorOf={(name) => errorOf(`conditions[${i}].${name}`)}
          />
        )}
      />
    </Stack>
  );
}

interface ConditionProps extends Omit<Props, 'field' | 'change'> {
  condition: Condition;
  change: (part: Partial<Condition>) => void;
}

/** "If Delivery equals courier, then the price rises by 5.00." */
function ConditionRow({ condition, others, change, errorOf }: ConditionProps) {
  const looksAtValue = !condition.operator.startsWith('is_');
  const priced = condition.action.endsWith('_price');
  const act = (action: Condition['action']) =>
    change({
      action,
      priceAdjustment: action.endsWith('_price')
        ? {
            operator: action === 'increase_price' ? 'add' : 'subtract',
            value: condition.priceAdjustment?.value ?? 0,
          }
        : undefined,
    });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={words.checkout.dependsOn}
        allowDeselect={false}
        data={others.map(({ id, label }) => ({ value: id, label: label || id }))}
        value={condition.dependsOn || null}
        error={errorOf('dependsOn')}
        onChange={(dependsOn) => change({ dependsOn: dependsOn ?? '' })}
      />
      <Select
        label={words.checkout.operator}
        allowDeselect={false}
        data={OPERATORS.map((value) => ({ value, label: words.checkout.operators[value] }))}
        value={condition.operator}
        onChange={(operator) => change({ operator: operator as Condition['operator'] })}
      />
      {looksAtValue && (
        <TextInput
          label={words.checkout.value}
          value={condition.value ?? ''}
          error={errorOf('value')}
          onChange={(event) => change({ value: event.currentTarget.value })}
        />
      )}
      <Select
        label={words.checkout.action}
        allowDeselect={false}
        data={ACTIONS.map((value) => ({ value, label: words.checkout.actions[value] }))}
        value={condition.action}
        onChange={(action) => act(action as Condition['action'])}
      />
      {priced && condition.priceAdjustment && (
        <MoneyInput
          label={words.checkout.amount}
          value={condition.priceAdjustment.value}
          error={errorOf('priceAdjustment.value')}
          onChange={(value) =>
            change({ priceAdjustment: { ...condition.priceAdjustment!, value: value ?? 0 } })
          }
        />
      )}
    </SimpleGrid>
  );
}
