import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { evaluateCheckout } from '../../../../../src/groups/checkout/checkout-rules.js';
import { selectOptions } from '../../../../../src/groups/checkout/checkout-value.js';
import type { RouteOutput } from '../../../api/client';
import { words } from '../../../words/all';

export type Field = RouteOutput<'GET stores/{storeId}/orders/form'>['checkout']['fields'][number];
export type Answers = Record<string, string>;

/** Fields that ask nothing, or something that the order has apart from the form. */
const APART = new Set(['label', 'info', 'warning', 'bonus_toggle', 'promocode_input', 'payment_button']);
const TYPES: Record<string, 'email' | 'tel' | 'date'> = { email: 'email', phone: 'tel', date: 'date' };

/** The form as the service will see it: which fields are shown, and the rows that an order is placed with. */
export function formOf(fields: Field[], answers: Answers, promocode: string) {
  const rows = fields
    .filter(({ id, type }) => !APART.has(type) && (answers[id] ?? '') !== '')
    .map(({ id, label, type }) => ({ id, label, type, value: answers[id] }));
  const { visible, required, problems } = evaluateCheckout(fields, rows, { promocode, bonusToSpend: 0 });
  const wrong = new Map(problems.map(({ fieldId, problem }) => [fieldId, problem]));
  const given = rows.filter(({ id }) => visible.has(id));
  return {
    shown: fields.filter(({ id, type }) => visible.has(id) && !APART.has(type)),
    required,
    wrong,
    /** What is placed, and what of it a quote can read. */
    rows: given,
    readable: given.filter(({ id }) => !wrong.has(id)),
  };
}

interface Props {
  form: ReturnType<typeof formOf>;
  answers: Answers;
  /** Whether what is missing is said. */
  isTried: boolean;
  onAnswer: (id: string, value: string) => void;
}

/** The fields of the checkout form, as a shopper fills them in. */
export function FormAnswers({ form, answers, isTried, onAnswer }: Props) {
  return form.shown.map((field) => {
    const { id, type, label, placeholder, options } = field;
    const value = answers[id] ?? '';
    const error = isTried && form.wrong.has(id) ? words.newOrder[form.wrong.get(id) as 'answer_missing'] : '';
    const common = {
      ...{ label: label || id, required: form.required.has(id), placeholder },
      error: error || undefined,
    };
    const onChange = ({ currentTarget }: { currentTarget: { value: string } }) =>
      onAnswer(id, currentTarget.value);
    if (type === 'checkbox')
      return (
        <Checkbox
          key={id}
          label={common.label}
          error={common.error}
          checked={value === 'true'}
          onChange={({ currentTarget }) => onAnswer(id, String(currentTarget.checked))}
        />
      );
    const choices = type === 'select' ? selectOptions(options) : [];
    if (choices.length > 0)
      return <NativeSelect key={id} {...common} {...{ value, onChange }} data={['', ...choices]} />;
    if (type === 'textarea') return <Textarea key={id} {...common} {...{ value, onChange }} autosize />;
    return <TextInput key={id} {...common} {...{ value, onChange }} type={TYPES[type] ?? 'text'} />;
  });
}
