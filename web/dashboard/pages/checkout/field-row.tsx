import { Group, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { selectOptions } from '../../../../src/groups/checkout/checkout-value.js';
import { choicesOf, type Inputs, inputsOf } from '../../parts/inputs/inputs-of';
import { MoneyInput } from '../../parts/inputs/money-input';
import { RowEditor } from '../../parts/inputs/row-editor';
import { words } from '../../words/all';
import type { Field } from './checkout';
import { byId } from './field-ids';
import { IdInput } from './id-input';

type Condition = NonNullable<Field['conditions']>[number];

const TYPES: Field['type'][] = [
  ...(['text', 'email', 'phone', 'textarea', 'select', 'checkbox', 'date', 'label', 'warning'] as const),
  ...(['info', 'bonus_toggle', 'promocode_input', 'payment_button'] as const),
];
const WRITTEN: Field['type'][] = ['text', 'email', 'phone', 'textarea'];
const SHOWN: Field['type'][] = ['label', 'warning', 'info', 'payment_button'];
const OPERATORS = ['equals', 'not_equals', 'contains', 'not_contains', 'is_empty', 'is_not_empty'] as const;
const ACTIONS = ['show', 'hide', 'require', 'optional', 'increase_price', 'decrease_price'] as const;

interface Props {
  field: Field;
  /** The other fields of the form, which conditions may refer to by their ids. */
  others: Field[];
  change: (part: Partial<Field>) => void;
  errorOf: (name: string) => string | undefined;
}

/** One field of the form: its question and its conditions. */
export function FieldRow({ field, others, change, errorOf }: Props) {
  const inputs = inputsOf(field, change, errorOf);
  // A price may hang on the field's own answer.
  const itself = { ...field, label: words.checkout.itself(field.label || field.id) };
  const conditional = byId([...others.filter(({ id }) => id !== field.id), itself]);
  return (
    <Stack gap="sm">
      <SimpleGrid className="fields" cols={{ base: 1, sm: 3 }}>
        <TextInput {...inputs.text('label')} label={words.checkout.label} />
        <Select
          {...inputs.value('type')}
          label={words.checkout.type}
          allowDeselect={false}
          data={choicesOf(TYPES, words.checkout.types)}
        />
        <IdInput
          label={words.checkout.id}
          value={field.id}
          others={others}
          error={errorOf('id')}
          onChange={(id) => change({ id })}
        />
      </SimpleGrid>
      <Content type={field.type} {...inputs} />
      <Group>
        <Switch {...inputs.switch('required')} label={words.checkout.required} />
        <Switch {...inputs.switch('defaultVisible')} label={words.checkout.visible} />
      </Group>
      <RowEditor
        title={words.checkout.conditions}
        addLabel={words.checkout.addCondition}
        rows={field.conditions ?? []}
        nameOf={(_, i) => String(i + 1)}
        make={() => newCondition(conditional)}
        onChange={(conditions) => change({ conditions })}
        render={(condition, changeCondition, i) => (
          <ConditionRow
            condition={condition}
            others={conditional}
            change={changeCondition}
            errorOf={(name) => errorOf(`conditions[${i}].${name}`)}
          />
        )}
      />
    </Stack>
  );
}

/** What only some types of field have. */
function Content({ type, text }: Pick<Field, 'type'> & Inputs<Field>) {
  return (
    <>
      {WRITTEN.includes(type) && (
        <TextInput {...text('placeholder', undefined)} label={words.checkout.placeholder} />
      )}
      {type === 'select' && (
        <Textarea
          {...text('options')}
          label={words.checkout.options}
          description={words.checkout.optionsHint}
          autosize
        />
      )}
      {SHOWN.includes(type) && <Textarea {...text('content')} label={words.checkout.content} autosize />}
    </>
  );
}

const newCondition = (others: Field[]): Condition => ({
  dependsOn: others[0]?.id ?? '',
  operator: 'equals',
  value: '',
  action: 'show',
});

/** The answers that a field takes, if they are few; null if anything may be typed. */
function answersOf({ type, options }: Field): { value: string; label: string }[] | null {
  const { ticked, notTicked } = words.checkout;
  if (type === 'checkbox' || type === 'bonus_toggle')
    return [
      { value: 'true', label: ticked },
      { value: 'false', label: notTicked },
    ];
  const choices = type === 'select' ? selectOptions(options) : [];
  return choices.length > 0 ? [...new Set(choices)].map((value) => ({ value, label: value })) : null;
}

interface ValueProps extends Inputs<Condition> {
  condition: Condition;
  others: Field[];
}

/** The value of a condition, chosen where the field has choices, so that the condition can hold. */
function Value({ condition: { dependsOn, operator, value = '' }, others, ...inputs }: ValueProps) {
  const dependency = others.find(({ id }) => id === dependsOn);
  const answers = dependency && operator.endsWith('equals') ? answersOf(dependency) : null;
  const label = words.checkout.value;
  if (!answers) return <TextInput {...inputs.text('value')} label={label} />;
  const isKnown = value === '' || answers.some((answer) => answer.value === value.trim());
  const data = isKnown ? answers : [...answers, { value, label: value }];
  const { error, ...select } = inputs.value('value');
  return (
    <Select
      {...select}
      label={label}
      data={data}
      value={value || null}
      error={isKnown ? error : words.checkout.neverHolds}
    />
  );
}

/** The action of a condition. Those that change the price need an amount. */
function acting({ priceAdjustment }: Condition, action: Condition['action']): Partial<Condition> {
  if (!action.endsWith('_price')) return { action, priceAdjustment: undefined };
  const operator = action === 'increase_price' ? 'add' : 'subtract';
  return { action, priceAdjustment: { operator, value: priceAdjustment?.value ?? 0 } };
}

interface ConditionProps extends Omit<Props, 'field' | 'change'> {
  condition: Condition;
  change: (part: Partial<Condition>) => void;
}

/** "If Delivery equals courier, then the price rises by 5.00." */
function ConditionRow({ condition, others, change, errorOf }: ConditionProps) {
  const { action, operator, dependsOn, priceAdjustment } = condition;
  const inputs = inputsOf(condition, change, errorOf);
  return (
    <SimpleGrid className="fields" cols={{ base: 1, sm: 2 }}>
      <Select
        {...inputs.value('dependsOn')}
        label={words.checkout.dependsOn}
        allowDeselect={false}
        data={others.map(({ id, label }) => ({ value: id, label: label || id }))}
        value={dependsOn || null}
      />
      <Select
        {...inputs.value('operator')}
        label={words.checkout.operator}
        allowDeselect={false}
        data={choicesOf(OPERATORS, words.checkout.operators)}
      />
      {!operator.startsWith('is_') && <Value condition={condition} others={others} {...inputs} />}
      <Select
        label={words.checkout.action}
        allowDeselect={false}
        data={choicesOf(ACTIONS, words.checkout.actions)}
        value={action}
        onChange={(chosen) => change(acting(condition, chosen as Condition['action']))}
      />
      {action.endsWith('_price') && priceAdjustment && (
        <MoneyInput
          label={words.checkout.amount}
          value={priceAdjustment.value}
          error={errorOf('priceAdjustment.value')}
          onChange={(value) => change({ priceAdjustment: { ...priceAdjustment, value: value ?? 0 } })}
        />
      )}
    </SimpleGrid>
  );
}
