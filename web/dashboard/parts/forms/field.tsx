import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { localTime, utcTime, withZone } from '../values/time-zone';
import { words } from '../../words/all';
import { DecimalInput } from '../inputs/decimal-input';
import { MoneyInput } from '../inputs/money-input';
import { PictureInput } from '../inputs/picture-input';
import { TextsInput } from '../inputs/texts-input';
import { own, type Property, typeOf, type Values } from './schema';

/** Overrides for a field that cannot be drawn well from its schema alone. */
export interface FieldHints {
  label?: string;
  hint?: string;
  /** For text: the number of lines. More than one makes it a text area. */
  lines?: number;
  /** For a number: an amount in the store's currency. */
  isAmount?: boolean;
  /** Replaces the input that the schema would give. */
  render?: (field: FieldProps) => ReactNode;
  /** What is sent of the value, if that is not the value itself. Gets the other values too. */
  sent?: (value: unknown, all: Values) => unknown;
  /** Leaves the field out of the form. */
  hidden?: boolean;
}

export interface FieldProps {
  name: string;
  label: string;
  description?: string;
  required: boolean;
  error?: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

const LONG_TEXT = 500;
const MOST_DECIMALS = 10;

interface Drawn extends FieldProps {
  schema: Property;
  'data-autofocus'?: boolean;
}

/** The input for one field of an operation, chosen by its schema. */
export function Field({
  property,
  hints,
  autoFocus,
  ...field
}: FieldProps & { property: Property; hints?: FieldHints; autoFocus: boolean }) {
  if (hints?.render) return hints.render(field);
  const schema = own(property);
  const type = typeOf(schema);
  const drawn = { ...field, schema, 'data-autofocus': autoFocus || undefined };
  if (hints?.isAmount) return <MoneyInput {...field} value={field.value as number | null} />;
  if (schema.enum) return <OneOf {...drawn} />;
  if (type === 'boolean') return <OnOff {...drawn} />;
  if (type === 'integer' || type === 'number') return <NumberField {...drawn} />;
  if (type === 'array') {
    const { schema: _, value, ...others } = drawn;
    return <TextsInput {...others} value={(value as string[] | undefined) ?? []} />;
  }
  if (schema.format === 'date-time') return <TimeField {...drawn} />;
  if (/(logo|image)Url$/i.test(field.name)) {
    const { name: _, value, ...others } = field;
    return <PictureInput {...others} value={(value as string | undefined) ?? ''} />;
  }
  return <TextField {...drawn} lines={hints?.lines} />;
}

function OneOf({ schema, value, ...field }: Drawn) {
  const data = schema
    .enum!.filter((one) => one !== null)
    .map((one) => ({ value: String(one), label: words.fields[String(one)] ?? String(one) }));
  return (
    <Select
      {...field}
      data={data}
      clearable={!field.required}
      value={(value as string | undefined) ?? null}
    />
  );
}

function OnOff({ schema: _, required: __, value, onChange, ...field }: Drawn) {
  return (
    <Switch {...field} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  );
}

function NumberField({ schema, value, ...field }: Drawn) {
  return (
    <DecimalInput
      {...field}
      decimals={typeOf(schema) === 'number' ? MOST_DECIMALS : 0}
      value={value as number | null | undefined}
    />
  );
}

function TimeField({ schema: _, value, onChange, ...field }: Drawn) {
  return (
    <TextInput
      {...field}
      description={withZone(field.description)}
      type="datetime-local"
      value={localTime(value as string)}
      onChange={({ currentTarget }) => onChange(utcTime(currentTarget.value))}
    />
  );
}

function TextField({ schema, lines: wanted, value, onChange, ...field }: Drawn & { lines?: number }) {
  const text = {
    ...field,
    value: (value as string | undefined) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  const isAddress = /url$/i.test(field.name);
  // However long they may be, names are one line.
  const isLine = isAddress || /(name|title)$/i.test(field.name);
  const lines = wanted ?? (!isLine && (schema.maxLength ?? 0) > LONG_TEXT ? 3 : 1);
  if (lines > 1) return <Textarea {...text} minRows={lines} autosize />;
  return <TextInput {...text} type={isAddress ? 'url' : 'text'} />;
}
