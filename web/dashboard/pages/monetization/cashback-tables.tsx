import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { DecimalInput } from '../../parts/inputs/decimal-input';
import { useAll } from '../../api/queries';
import { choicesOf, type Inputs, inputsOf } from '../../parts/inputs/inputs-of';
import { MoneyInput } from '../../parts/inputs/money-input';
import { RowEditor } from '../../parts/inputs/row-editor';
import { words } from '../../words/all';
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
      render={(row, change, i) => (
        <LevelRow {...inputsOf(row, change, (name) => errorOf(`cashback.levels[${i}].${name}`))} />
      )}
    />
  );
}

const LevelRow = ({ text, number, value }: Inputs<Level>) => (
  <SimpleGrid className="fields" cols={{ base: 2, sm: 4 }}>
    <TextInput {...text('levelName')} label={words.fields.name} />
    <DecimalInput {...number('minOrders')} label={words.monetization.from} />
    <DecimalInput {...number('maxOrders', null)} label={words.monetization.to} placeholder="∞" />
    <Percent {...value('cashbackPercentage')} label={words.monetization.rate} />
  </SimpleGrid>
);

/** Rates of categories, which replace the level's rate. */
export function CategoryRates({ rows, onChange, errorOf }: Props<Rate>) {
  const known = useAll('list_categories').map(({ slug, name }) => ({ value: slug, label: name }));
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
        <SimpleGrid className="fields" cols={{ base: 1, sm: 2 }}>
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
      render={(row, change, i) => (
        <PromotionRow
          {...inputsOf(days(row), change, (name) => errorOf(`cashback.promotions[${i}].${name}`))}
        />
      )}
    />
  );
}

/** With its period as days, which is all that a date input takes. */
const days = (row: Promotion): Promotion => ({
  ...row,
  startsAt: row.startsAt.slice(0, 10),
  endsAt: row.endsAt?.slice(0, 10) ?? null,
});

const PromotionRow = ({ text, value, switch: flag }: Inputs<Promotion>) => (
  <SimpleGrid className="fields" cols={{ base: 1, sm: 3 }}>
    <TextInput {...text('label')} label={words.fields.name} />
    <TextInput {...text('startsAt')} type="date" label={words.monetization.firstDay} />
    <TextInput {...text('endsAt', null)} type="date" label={words.monetization.lastDay} />
    <Select
      {...value('mode')}
      label={words.monetization.mode}
      allowDeselect={false}
      data={choicesOf(['add', 'override'], words.monetization.modes)}
    />
    <Percent {...value('cashbackPercentage')} label={words.monetization.rate} />
    <MoneyInput {...value('maxCashbackPerOrder')} label={words.monetization.cap} />
    <Switch {...flag('enabled')} label={words.monetization.enabled} />
  </SimpleGrid>
);
