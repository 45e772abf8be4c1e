import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange, type Versioned } from '../../api/change';
import type { Input, InputOf, OperationName, OutputOf } from '../../api/client';
import { words } from '../../words';
import { ConflictDialog } from './conflict';
import { FormFailure } from '../failure';
import { fieldName } from '../values/format';
import { refused } from './refused';
import { Field, type FieldHints } from './field';
import { drawable, given, numbersOf, type OperationSchema, type Values, withSlug } from './schema';
import { LoadingBlock } from '../states';

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
  /** What is said when it is saved. */
  done?: string;
  onDone?: (data: OutputOf<Name>) => void;
}

/** The schemas of the 70 operations' forms, loaded when the first form opens. */
export function useForms() {
  return useQuery({
    queryKey: ['forms'],
    queryFn: () =>
      import('../../api/generated/forms.json').then(
        (module) => module.default as Record<string, object> as Record<string, OperationSchema>,
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
  done,
  onDone,
  schema,
}: Props<Name> & { schema: OperationSchema }) {
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
  const { make, isPending, error, theirs, dropTheirs } = useChange(operation, {
    done,
    refusals: 'form',
    reread,
    onDone,
  });
  const yours = given(numbersOf(values, properties), shown as Values | undefined);
  const submit = (version: string | null | undefined) =>
    void make({ ...yours, ...fixed } as InputOf<Name>, {
      ifMatch: (schema.ifMatch && version) || undefined,
    });
  const errors = refused(error, values);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(shown?.updatedAt);
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
          <Button type="submit" loading={isPending}>
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
            submit(theirs.updatedAt);
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
