import type { Versioned } from '../../api/change';
import type { Input, OperationName, OutputOf } from '../../api/client';
import { words } from '../../words/all';
import { fieldName } from '../../api/telling/field-name';
import type { FieldTexts } from './differences';
import { useEdited } from './edited';
import { Field, type FieldHints } from './field';
import { Form } from './form';
import { useForms } from './forms';
import { drawable, given, type OperationSchema, own, type Values, withSlug } from './schema';
import { Failure } from '../failure';
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
  /** The fields that stand before the others, in this order. */
  first?: (keyof Input<Name> & string)[];
  hints?: Partial<Record<keyof Input<Name> & string, FieldHints>>;
  submitLabel?: string;
  /** What is said when it is saved. */
  done?: string;
  /** Without it the form stays open. */
  onDone?: (data: OutputOf<Name>) => void;
}

/**
 * The form of an operation, generated from its input schema. Validation is left to the service: an error is
 * shown next to the field that its message names, so no rule is written twice. Nested objects have their own
 * forms.
 */
export function SchemaForm<Name extends OperationName>(props: Props<Name>) {
  const forms = useForms();
  if (forms.error) return <Failure error={forms.error} retry={() => void forms.refetch()} />;
  if (!forms.data) return <LoadingBlock />;
  return <Loaded {...props} schema={forms.data[props.operation]} />;
}

function Loaded<Name extends OperationName>(props: Props<Name> & { schema: OperationSchema }) {
  const { operation, schema, record, initial, fixed = {}, reread, done, onDone } = props;
  const { required = [] } = schema.input;
  const asked = askedOf(props);
  const pick = (source: Versioned | undefined): Values =>
    Object.fromEntries(
      asked.map(({ name, property }) => [
        name,
        source ? (source as Values)[name] : ((initial as Values | undefined)?.[name] ?? property.default),
      ]),
    );
  const sentOf = (typed: Values): Values =>
    Object.fromEntries(
      asked.map(({ name, hints }) => [name, hints?.sent ? hints.sent(typed[name], typed) : typed[name]]),
    );
  const { values, setValues, isDirty, change, save, conflict } = useEdited(operation, {
    ...{ record, fixed, reread, done, pick, hasVersion: schema.ifMatch },
    texts: textsOf(asked),
    changedOf: (typed, saved) => given(sentOf(typed), saved as Values | undefined),
    onDone: (data, follow) => (onDone ? onDone(data) : void reread?.().then(follow)),
  });
  const set = (part: Values) =>
    setValues((all) => {
      const changed = { ...all, ...part };
      return record ? changed : withSlug(all, changed, pick(undefined));
    });
  return (
    <>
      <Form
        {...{ values, change, isDirty: record && isDirty }}
        submit={{ label: props.submitLabel ?? (record ? words.common.save : words.common.create) }}
        onSubmit={() => save()}
      >
        {(errorOf) =>
          asked.map(({ name, property, hints }, i) => (
            <Field
              {...{ name, property, hints, autoFocus: i === 0, required: required.includes(name) }}
              key={name}
              label={hints?.label ?? fieldName(name)}
              description={hints?.hint ?? words.hints[name]}
              error={errorOf(name)}
              value={values[name]}
              onChange={(value) => set({ [name]: value })}
            />
          ))
        }
      </Form>
      {conflict}
    </>
  );
}

/** The fields that the form shows: those that can be drawn and that nobody else fills in. */
function askedOf<Name extends OperationName>(props: Props<Name> & { schema: OperationSchema }) {
  const hintsOf = props.hints as Record<string, FieldHints> | undefined;
  const first: string[] = props.first ?? [];
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const isFree = (name: string) => !(name in (props.fixed ?? {})) && name !== 'confirm';
  return Object.entries(props.schema.input.properties)
    .map(([name, property]) => ({ name, property, hints: hintsOf?.[name] }))
    .filter(({ name, hints }) => isFree(name) && !hints?.hidden)
    .filter(({ property, hints }) => drawable(property) || hints?.render)
    .sort((a, b) => place(a.name) - place(b.name));
}

/** How a conflict names the fields: as the form does. */
const textsOf = (asked: ReturnType<typeof askedOf>): FieldTexts => ({
  labels: Object.fromEntries(asked.map(({ name, hints }) => [name, hints?.label])),
  major: asked.filter(({ hints }) => hints?.isAmount).map(({ name }) => name),
  choices: Object.fromEntries(
    asked.flatMap(({ name, property }) => (own(property).enum ? [[name, words.fields]] : [])),
  ),
});
