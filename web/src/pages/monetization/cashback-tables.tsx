import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useRead } from '../../api/queries';
import { MoneyInput } from '../../parts/forms/money-input';
import { RowEditor } from '../../parts/forms/row-editor';
import { words } from '../../words';
import type { Cashback } from './monetization';
import { Percent } from './percent';

interface Props<Row> {
  rows: Row[];
  onChange: (rows: Row[]) => void;
  errorOf: (path: string) => string | undefined;
}

type Level = Cashback['levels'][number];
type Rate = Cashback['categoryRates'][number];
type Promotion = Cashback['promotions'][number];

/** Rates by the number of a customer's earlier orders. */
export function Levels({ rows, onChange, errorOf }: Props<Level>) {
  const next = (): Level => ({
    minOrders: (rows.at(-1)?.maxOrders ?? rows.length - 1) + 1,
    maxOrders: null,
    cashbackPercentage: 5,
    levelName: '',
  });
  return (
    <RowEditor
      title={words.monetization.levels}
      hint={words.monetization.levelsHint}
      addLabel={words.monetization.addLevel}
      rows={rows}
      nameOf={({ levelName }, i) => levelName || String(i + 1)}
      make={next}
      onChange={onChange}
      render={(row, change, i) => {
        const error = (name: string) => errorOf(`cashback.levels[${i}].${name}`);
        return (
          <SimpleGrid cols={{ base: 2, sm: 4 }}>
            <TextInput
              label={words.fields.name}
              value={row.levelName}
              error={error('levelName')}
              onChange={(event) => change({ levelName: event.currentTarget.value })}
            />
            <NumberInput
              label={words.monetization.from}
              value={row.minOrders}
              error={error('minOrders')}
              min={0}
              clampBehavior="none"
              onChange={(value) => change({ minOrders: Number(value) })}
            />
            <NumberInput
              label={words.monetization.to}
              placeholder="∞"
              value={row.maxOrders ?? ''}
              error={error('maxOrders')}
              min={0}
              clampBehavior="none"
              onChange={(value) => change({ maxOrders: value === '' ? null : Number(value) })}
            />
            <Percent
              label={words.monetization.rate}
              value={row.cashbackPercentage}
              error={error('cashbackPercentage')}
              onChange={(cashbackPercentage) => change({ cashbackPercentage })}
            />
          </SimpleGrid>
        );
      }}
    />
  );
}

/** Rates of categories, which replace the level's rate. */
export function CategoryRates({ rows, onChange, errorOf }: Props<Rate>) {
  const categories = useRead('list_categories', { take: 100 });
  const known = categories.data?.items.map(({ slug, name }) => ({ value: slug, label: name })) ?? [];
  // A rate may also name a category by its id or name, or a category that no longer exists.
  const choices = (key: string) =>
    key === '' || known.some(({ value }) => value === key) ? known : [...known, { value: key, label: key }];
  return (
    <RowEditor
      title={words.monetization.categoryRates}
      addLabel={words.monetization.addRate}
      rows={rows}
      nameOf={({ categoryKey }) => categoryKey}
      make={() => ({ categoryKey: '', cashbackPercentage: 5 })}
      onChange={onChange}
      render={(row, change, i) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={words.monetization.category}
            data={choices(row.categoryKey)}
            searchable
            value={row.categoryKey || null}
            error={errorOf(`cashback.categoryRates[${i}].categoryKey`)}
            onChange={(categoryKey) => change({ categoryKey: categoryKey ?? '' })}
          />
          <Percent
            label={words.monetization.rate}
            value={row.cashbackPercentage}
            error={errorOf(`cashback.categoryRates[${i}].cashbackPercentage`)}
            onChange={(cashbackPercentage) => change({ cashbackPercentage })}
          />
        </SimpleGrid>
      )}
    />
  );
}

const today = () => new Date().toISOString().slice(0, 10);

/** Periods in which a rate is added to the usual one or replaces it. */
export function Promotions({ rows, onChange, errorOf }: Props<Promotion>) {
  const make = (): Promotion => ({
    ...{ id: crypto.randomUUID(), label: '', startsAt: today(), endsAt: null, mode: 'add' },
    ...{ cashbackPercentage: 5, maxCashbackPerOrder: null, enabled: true },
  });
  return (
    <RowEditor
      title={words.monetization.promotions}
      hint={words.monetization.promotionsHint}
      addLabel={words.monetization.addPromotion}
      rows={rows}
      nameOf={({ label }, i) => label || String(i + 1)}
      make={make}
      onChange={onChange}
      render={(row, change, i) => {
        const error = (name: string) => errorOf(`cashback.promotions[${i}].${name}`);
        return (
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <TextInput
              label={words.fields.name}
              value={row.label}
              error={error('label')}
              onChange={(event) => change({ label: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={words.monetization.firstDay}
              value={row.startsAt.slice(0, 10)}
              error={error('startsAt')}
              onChange={(event) => change({ startsAt: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={words.monetization.lastDay}
              value={row.endsAt?.slice(0, 10) ?? ''}
              error={error('endsAt')}
              onChange={(event) => change({ endsAt: event.currentTarget.value || null })}
            />
            <Select
              label={words.monetization.mode}
              allowDeselect={false}
              data={(['add', 'override'] as const).map((value) => ({
                value,
                label: words.monetization.modes[value],
              }))}
              value={row.mode}
              onChange={(mode) => change({ mode: mode as Promotion['mode'] })}
            />
            <Percent
              label={words.monetization.rate}
              value={row.cashbackPercentage}
              error={error('cashbackPercentage')}
              onChange={(cashbackPercentage) => change({ cashbackPercentage })}
            />
            <MoneyInput
              label={words.monetization.cap}
              value={row.maxCashbackPerOrder}
              error={error('maxCashbackPerOrder')}
              onChange={(maxCashbackPerOrder) => change({ maxCashbackPerOrder })}
            />
            <Switch
              label={words.monetization.enabled}
              checked={row.enabled}
              onChange={(event) => change({ enabled: event.currentTarget.checked })}
            />
          </SimpleGrid>
        );
      }}
    />
  );
}
