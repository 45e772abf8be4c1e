import { NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import type { Output } from '../../api/client';
import { ConfigForm, type Draft } from '../../parts/forms/draft';
import { RowEditor } from '../../parts/forms/row-editor';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words';
import type { Checkout, Field, Filter } from './checkout';
import { FieldRow } from './field-row';
import { Preview } from './preview';

const checkout = ({ updatedAt: _, ...rest }: Output<'get_checkout'>): Checkout => rest;
const MODES = ['manual', 'native_payments', 'crypto'] as const;

/** An id that no other field has, because conditions and orders refer to it. */
const freshId = (fields: Field[]) => {
  let i = fields.length + 1;
  while (fields.some(({ id }) => id === `field_${i}`)) i++;
  return `field_${i}`;
};

export default function CheckoutPage() {
  return (
    <Stack>
      <PageHead title={words.checkout.title} hint={words.checkout.hint} />
      <ConfigForm get="get_checkout" update="update_checkout" pick={checkout}>
        {(draft) => (
          <div className="detail">
            <Stack>
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

function Fields({ value: { mode, fields }, change, errorOf }: Draft<Checkout>) {
  const make = (): Field => ({
    id: freshId(fields),
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
        data={MODES.map((value) => ({ value, label: words.checkout.modes[value] }))}
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
        render={(field, changeField, i) => (
          <FieldRow
            field={field}
            others={fields.filter(({ id }) => id !== field.id)}
            change={changeField}
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
        render={(filter, changeFilter, i) => {
          const error = (name: string) => errorOf(`filters[${i}].${name}`);
          return (
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Select
                label={words.checkout.filter}
                allowDeselect={false}
                data={FILTERS.map((value) => ({ value, label: words.checkout.filters[value] }))}
                value={filter.id}
                error={error('id')}
                onChange={(id) => changeFilter({ id: id as Filter['id'] })}
              />
              <TextInput
                label={words.checkout.label}
                value={filter.label}
                error={error('label')}
                onChange={(event) => changeFilter({ label: event.currentTarget.value })}
              />
              <NumberInput
                label={words.fields.sortOrder}
                value={filter.order}
                error={error('order')}
                onChange={(order) => changeFilter({ order: Number(order) })}
              />
              <Select
                label={words.checkout.visibility}
                allowDeselect={false}
                data={(['always', 'when_parent_has_value'] as const).map((value) => ({
                  value,
                  label: words.checkout.visibilities[value],
                }))}
                value={filter.visibilityMode}
                onChange={(visibilityMode) =>
                  changeFilter({ visibilityMode: visibilityMode as Filter['visibilityMode'] })
                }
              />
              <Switch
                label={words.fields.isActive}
                checked={filter.enabled}
                onChange={(event) => changeFilter({ enabled: event.currentTarget.checked })}
              />
            </SimpleGrid>
          );
        }}
      />
    </Section>
  );
}
