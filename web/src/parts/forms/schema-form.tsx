import {
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ScopeName } from '../../api/access';
import { type Input, type OperationName, run } from '../../api/client';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { ConflictDialog } from './conflict';
import { FormFailure } from '../failure';
import { fieldName } from '../values/format';
import { refused } from './refused';
import { useSave, type Versioned } from './save';
import { PictureInput } from './picture-input';
import { slugOf } from './slug';
import { LoadingBlock } from '../states';

interface Property {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Property[];
  items?: Property;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
}

export interface OperationSchema {
  summary: string;
  scope: ScopeName;
  /** Whether the operation supports If-Match. */
  ifMatch: boolean;
  input: { properties: Record<string, Property>; required?: string[] };
}

type Values = Record<string, unknown>;

/** Overrides for a field that cannot be drawn well from its schema alone. */
export interface FieldHints {
  label?: string;
  hint?: string;
  /** For text: the number of lines. More than one makes it a text area. */
  lines?: number;
  /** Replaces the input that the schema would give. */
  render?: (field: FieldProps) => ReactNode;
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

interface Props<Name extends OperationName> {
  operation: Name;
  /** Values that the page already knows. They are sent, but not shown. */
  fixed?: Partial<Input<Name>>;
  /**
   * The record to edit. Its values fill the fields, and only changed ones are sent, with its `updatedAt` as
   * If-Match.
   */
  record?: Versioned;
  /** The initial values of a new record. */
  initial?: object;
  /** Reads the current record for the conflict dialog. */
  reread?: () => Promise<Versioned>;
  hints?: Partial<Record<keyof Input<Name> & string, FieldHints>>;
  submitLabel?: string;
  onDone: (data: unknown) => void;
}

/** The schemas of the 70 operations' forms, loaded when the first form opens. */
export function useForms() {
  return useQuery({
    queryKey: ['forms'],
    queryFn: () =>
      import('../../api/generated/forms.json').then(
        (module) => module.default as unknown as Record<string, OperationSchema>,
      ),
    staleTime: Infinity,
  });
}

/**
 * The form of an operation, generated from its input schema. Validation is left to the service: an error is
 * shown next to the field that its message names, so no rule is written twice. Nested objects have their own
 * forms.
 */
export function SchemaForm<Name extends OperationName>(props: Props<Name>) {
  const forms = useForms();
  if (!forms.data) return <LoadingBlock />;
  return <Form {...props} schema={forms.data[props.operation]} />;
}

function Form<Name extends OperationName>({
  operation,
  initial,
  fixed = {},
  record,
  reread,
  hints,
  submitLabel,
  onDone,
  schema,
}: Props<Name> & { schema: OperationSchema }) {
  const { id: storeId } = useStore();
  const { properties, required = [] } = schema.input;
  const hintOf = (name: string) => (hints as Record<string, FieldHints> | undefined)?.[name];
  const isAsked = (name: string) => !(name in fixed) && name !== 'confirm' && !hintOf(name)?.hidden;
  const asked = Object.entries(properties).filter(
    ([name, property]) => isAsked(name) && (drawable(property) || hintOf(name)?.render),
  );
  // The version that was shown. A later read must not change it while the form is open.
  const [shown, setShown] = useState(record);
  const valuesOf = (source: Versioned | undefined) =>
    Object.fromEntries(asked.map(([name]) => [name, (source as Values | undefined)?.[name]]));
  const [values, setValues] = useState<Values>(() => valuesOf(record ?? initial));
  const { save, busy, error, theirs, dropTheirs } = useSave({
    send: (input: object, ifMatch) => run(storeId, operation, input as Input<Name>, { ifMatch }),
    reread,
    onDone,
  });
  const yours = given(numbersOf(values, properties), shown as Values | undefined);
  const submit = (version: string | null | undefined) =>
    save({ ...yours, ...fixed }, schema.ifMatch ? version : undefined);
  const errors = refused(error, values);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(shown?.updatedAt);
      }}
      noValidate
    >
      <Stack gap="sm">
        <FormFailure text={errors.rest} />
        {asked.map(([name, property], i) => (
          <Field
            key={name}
            property={property}
            hints={hintOf(name)}
            autoFocus={i === 0}
            name={name}
            label={hintOf(name)?.label ?? fieldName(name)}
            description={hintOf(name)?.hint ?? words.hints[name]}
            required={required.includes(name)}
            error={errors.of(name)}
            value={values[name]}
            onChange={(value) =>
              setValues((all) => withSlug(all, { ...all, [name]: value }, record === undefined))
            }
          />
        ))}
        <Group justify="flex-end" mt="xs">
          <Button type="submit" loading={busy}>
            {submitLabel ?? (record ? words.common.save : words.common.create)}
          </Button>
        </Group>
      </Stack>
      {theirs && (
        <ConflictDialog
          yours={yours}
          theirs={theirs as Values}
          onKeepMine={() => {
            setShown(theirs);
            void submit(theirs.updatedAt);
          }}
          onTakeTheirs={() => {
            setShown(theirs);
            setValues(valuesOf(theirs));
            dropTheirs();
          }}
        />
      )}
    </form>
  );
}

/** Derives the slug of a new record from its name until somebody edits the slug. */
function withSlug(before: Values, after: Values, isNew: boolean): Values {
  const nameOf = ({ name, title }: Values) => String(name ?? title ?? '');
  const follows =
    isNew && 'slug' in after && (before.slug ?? '') === slugOf(nameOf(before)) && before.slug === after.slug;
  return follows ? { ...after, slug: slugOf(nameOf(after)) } : after;
}

/**
 * Converts texts to numbers. Number inputs return text where a number would lose what was typed, for example
 * 1.50.
 */
function numbersOf(values: Values, properties: Record<string, Property>): Values {
  const isNumber = (name: string) => ['integer', 'number'].includes(typeOf(own(properties[name])) ?? '');
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && value !== '' && isNumber(name) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as Values;
}

/**
 * The values to send: all that were filled in for a new record, only the changed ones for an existing record.
 * An emptied field is null.
 */
function given(values: Values, record: Values | undefined): Values {
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  const entries = Object.entries(values).map(([name, value]) => [name, value === '' ? null : value] as const);
  return Object.fromEntries(
    record
      ? entries.filter(([name, value]) => !same(value, record[name]))
      : entries.filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The schema of a nullable value, without the null. */
function own(property: Property): Property {
  return property.anyOf?.find(({ type }) => type !== 'null') ?? property;
}

const typeOf = (property: Property) =>
  [property.type ?? (property.enum ? 'string' : undefined)].flat().find((type) => type !== 'null');

function drawable(property: Property): boolean {
  const { items } = own(property);
  const type = typeOf(own(property));
  return type === 'array'
    ? items !== undefined && typeOf(items) === 'string'
    : type !== undefined && type !== 'object';
}

const LONG_TEXT = 500;

function Field({
  property,
  hints,
  autoFocus,
  name,
  value,
  onChange,
  ...rest
}: FieldProps & { property: Property; hints?: FieldHints; autoFocus: boolean }) {
  if (hints?.render) return hints.render({ name, value, onChange, ...rest });
  const schema = own(property);
  const type = typeOf(schema);
  const common = { ...rest, 'data-autofocus': autoFocus || undefined, name };
  if (schema.enum) {
    const data = schema.enum
      .filter((one) => one !== null)
      .map((one) => ({ value: String(one), label: words.fields[String(one)] ?? String(one) }));
    return (
      <Select
        {...common}
        data={data}
        clearable={!rest.required}
        value={(value as string | undefined) ?? null}
        onChange={onChange}
      />
    );
  }
  if (type === 'boolean') {
    const { required: _, ...others } = common;
    return (
      <Switch
        {...others}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (type === 'integer' || type === 'number') {
    return (
      <NumberInput
        {...common}
        min={schema.minimum}
        max={schema.maximum}
        allowDecimal={type === 'number'}
        clampBehavior="none"
        value={(value as number | undefined) ?? ''}
        onChange={onChange}
      />
    );
  }
  if (type === 'array')
    return <TagsInput {...common} value={(value as string[] | undefined) ?? []} onChange={onChange} />;
  if (schema.format === 'date-time') {
    return (
      <TextInput
        {...common}
        type="datetime-local"
        value={localTime(value as string)}
        onChange={({ currentTarget }) => onChange(utcTime(currentTarget.value))}
      />
    );
  }
  const text = {
    value: (value as string | undefined) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (/(logo|image)Url$/i.test(name))
    return <PictureInput {...rest} value={(value as string | undefined) ?? ''} onChange={onChange} />;
  const isAddress = /url$/i.test(name);
  const lines = hints?.lines ?? (!isAddress && (schema.maxLength ?? 0) > LONG_TEXT ? 3 : 1);
  if (lines > 1) return <Textarea {...common} {...text} minRows={lines} autosize />;
  return <TextInput {...common} {...text} type={isAddress ? 'url' : 'text'} />;
}

/**
 * Converts to the format of a native date and time input, which has the reader's local time without a time
 * zone.
 */
export function localTime(iso: string | null | undefined): string {
  if (!iso) return '';
  const moment = new Date(iso);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const utcTime = (local: string) => (local ? new Date(local).toISOString() : null);
