import { Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { DecimalInput } from '../../parts/inputs/decimal-input';
import type { Output } from '../../api/client';
import { useRead } from '../../api/queries';
import { ConfigForm, type Draft } from '../../parts/forms/config-form';
import { choicesOf, type Inputs, inputsOf } from '../../parts/inputs/inputs-of';
import type { FieldTexts } from '../../parts/forms/differences';
import { RowEditor } from '../../parts/inputs/row-editor';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';
import type { Checkout, Field, Filter } from './checkout';
import { Delivery } from './delivery-section';
import { idFor, withField } from './field-ids';
import { FieldRow } from './field-row';
import { Preview } from './preview';

const checkout = ({ updatedAt: _, ...rest }: Output<'get_checkout'>): Checkout => rest;
const MODES = ['manual', 'native_payments', 'crypto'] as const;

const textsOf = (): FieldTexts => {
  const { checkout: texts, fields } = words;
  return {
    labels: {
      ...texts,
      ...{ defaultVisible: texts.visible, priceAdjustment: texts.amount, filters: texts.filtersTitle },
      ...{ enabled: fields.isActive, order: fields.sortOrder, visibilityMode: texts.visibility },
    },
    // The amount of a condition.
    major: ['value'],
    choices: {
      ...{ mode: texts.modes, operator: texts.operators, action: texts.actions },
      // A field is named by its kind, a filter by what it filters by.
      ...{ type: { ...texts.types, ...texts.filters }, visibilityMode: texts.visibilities },
    },
  };
};

export default function CheckoutPage() {
  return (
    <Stack>
      <PageHead title={words.pages.checkout} hint={words.checkout.hint} />
      <ConfigForm get="get_checkout" update="update_checkout" pick={checkout} texts={textsOf()}>
        {(draft) => (
          <div className="detail">
            <Stack>
              <Delivery {...draft} />
              <Fields {...draft} />
              <Filters {...draft} />
            </Stack>
            <Preview fields={draft.value.fields} />
          </div>
        )}
      </ConfigForm>
    </Stack>
  );
}

const NONE: Field[] = [];

function Fields({ value: { mode, fields }, change, errorOf }: Draft<Checkout>) {
  const stored = (useRead('get_checkout', {}).data?.fields ?? NONE).map(({ id }) => id);
  const make = (): Field => ({
    id: idFor('', new Set([...stored, ...fields.map(({ id }) => id)])),
    label: '',
    type: 'text',
    required: false,
    defaultVisible: true,
  });
  return (
    <Section title={words.checkout.form}>
      <Select
        label={words.checkout.mode}
        allowDeselect={false}
        data={choicesOf(MODES, words.checkout.modes)}
        value={mode}
        onChange={(chosen) => change({ mode: chosen as Checkout['mode'] })}
      />
      <RowEditor
        ordered
        title={words.checkout.fields}
        addLabel={words.checkout.addField}
        rows={fields}
        nameOf={({ label, id }) => label || id}
        make={make}
        onChange={(changed) => change({ fields: changed })}
        render={(field, _, i) => (
          <FieldRow
            field={field}
            others={fields.toSpliced(i, 1)}
            change={(part) => change({ fields: withField(fields, i, part, stored) })}
            errorOf={(name) => errorOf(`fields[${i}].${name}`)}
          />
        )}
      />
    </Section>
  );
}

const FILTERS = ['category', 'brand', 'sub_category'] as const;

function Filters({ value: { filters }, change, errorOf }: Draft<Checkout>) {
  const free = FILTERS.find((id) => filters.every((filter) => filter.id !== id)) ?? 'category';
  const make = (): Filter => ({
    id: free,
    label: words.checkout.filters[free],
    enabled: true,
    order: filters.length + 1,
    visibilityMode: 'always',
  });
  return (
    <Section title={words.checkout.filtersTitle} hint={words.checkout.filtersHint}>
      <RowEditor
        title={words.checkout.filtersTitle}
        addLabel={words.checkout.addFilter}
        rows={filters}
        nameOf={({ label, id }) => label || id}
        make={make}
        onChange={(changed) => change({ filters: changed })}
        render={(filter, changeFilter, i) => (
          <FilterRow {...inputsOf(filter, changeFilter, (name) => errorOf(`filters[${i}].${name}`))} />
        )}
      />
    </Section>
  );
}

function FilterRow({ text, number, value, switch: flag }: Inputs<Filter>) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        {...value('id')}
        label={words.checkout.filter}
        allowDeselect={false}
        data={choicesOf(FILTERS, words.checkout.filters)}
      />
      <TextInput {...text('label')} label={words.checkout.label} />
      <DecimalInput {...number('order')} label={words.fields.sortOrder} />
      <Select
        {...value('visibilityMode')}
        label={words.checkout.visibility}
        allowDeselect={false}
        data={choicesOf(['always', 'when_parent_has_value'], words.checkout.visibilities)}
      />
      <Switch {...flag('enabled')} label={words.fields.isActive} />
    </SimpleGrid>
  );
}
