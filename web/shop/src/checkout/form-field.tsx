/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { selectOptions } from '../../../../src/groups/checkout/checkout-value.js';
import type { Field } from '../api';
import { Labelled, TextField, Tick } from '../parts';

export interface Answering {
  field: Pick<Field, 'id' | 'label' | 'type' | 'options' | 'content' | 'placeholder'>;
  value: string;
  isRequired: boolean;
  problem?: string;
  onChange: (value: string) => void;
  /** What stands in place of the fields of bonus, of the promocode and of payment. */
  apart?: ComponentChildren;
}

const KINDS = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email' },
  phone: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  date: { type: 'date' },
} as const;

/** A field of the checkout form, whatever its type. */
export function FormField({ field, value, isRequired, problem, onChange, apart }: Answering) {
  const { type, placeholder } = field;
  const label = field.label || field.id;
  const common = { label, value, isRequired, problem, onChange };
  const change = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  const choices = type === 'select' ? selectOptions(field.options) : [];
  switch (type) {
    case 'label':
      return <h2 dir="auto">{field.content || label}</h2>;
    case 'info':
    case 'warning':
      return (
        <p class={type} dir="auto">
          {field.content || label}
        </p>
      );
    case 'checkbox':
      return (
        <Tick
          label={label}
          isTicked={value === 'true'}
          problem={problem}
          onChange={(on) => onChange(String(on))}
        />
      );
    case 'textarea':
      return (
        <Labelled
          {...common}
          control={(tied) => (
            <textarea {...tied} rows={3} placeholder={placeholder} value={value} onInput={change} />
          )}
        />
      );
    case 'bonus_toggle':
    case 'promocode_input':
    case 'payment_button':
      return <>{apart}</>;
    default:
      if (choices.length > 0) return <Choice {...common} choices={choices} />;
      return <TextField {...common} kind={{ ...KINDS[type as keyof typeof KINDS], placeholder }} />;
  }
}

function Choice({
  choices,
  onChange,
  value,
  ...rest
}: {
  choices: string[];
  label: string;
  value: string;
  isRequired: boolean;
  problem?: string;
  onChange: (value: string) => void;
}) {
  const change = (event: { currentTarget: HTMLSelectElement }) => onChange(event.currentTarget.value);
  return (
    <Labelled
      {...rest}
      control={(tied) => (
        <select {...tied} value={value} onChange={change}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
    />
  );
}
