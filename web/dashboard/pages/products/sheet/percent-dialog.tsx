import { Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useStore } from '../../../api/store';
import { Dialog } from '../../../parts/dialog';
import { Form } from '../../../parts/forms/form';
import { DecimalInput } from '../../../parts/inputs/decimal-input';
import { choicesOf, useRow } from '../../../parts/inputs/inputs-of';
import { majorMoney } from '../../../parts/values/format';
import { words } from '../../../words/all';
import { type PercentChange, ROUNDINGS } from './percent';

const NO_CHANGE = { isPending: false, error: null };

interface Props {
  count: number;
  onApply: (change: PercentChange) => void;
  onClose: () => void;
}

/** Asks by how much the chosen prices change. They are only typed; nothing is saved. */
export function PercentDialog({ count, onApply, onClose }: Props) {
  const { products } = words;
  const store = useStore();
  const [values, set] = useRow({ column: 'price', percent: null as number | null, rounding: '0' });
  const { column, percent, rounding } = values;
  const amount = (minor: number) => majorMoney(minor / 10 ** store.currencyDecimals, store);
  const apply = () => {
    if (percent === null || percent <= -100) return;
    onApply({ column: column as PercentChange['column'], percent, rounding: ROUNDINGS[Number(rounding)] });
  };
  return (
    <Dialog title={products.byPercent} onClose={onClose}>
      <Form
        values={{ percent }}
        change={NO_CHANGE}
        submit={{
          label: products.applyPercent(count),
          disabled: percent === null || percent <= -100,
        }}
        onSubmit={apply}
        onCancel={onClose}
      >
        <DecimalInput
          label={products.percent}
          decimals={2}
          value={percent}
          onChange={(value) => set({ percent: value })}
          data-autofocus
        />
        <Group>
          <SegmentedControl
            aria-label={products.percentOf}
            data={choicesOf(['price', 'salePrice'], products)}
            value={column}
            onChange={(chosen) => set({ column: chosen })}
          />
        </Group>
        {column === 'salePrice' && <Text size="sm">{products.saleFromPrice}</Text>}
        <NativeSelect
          label={products.rounding}
          data={ROUNDINGS.map(({ step, less }, i) => ({
            value: String(i),
            label: less === 0 ? amount(step) : products.roundingLess(amount(step), amount(less)),
          }))}
          value={rounding}
          onChange={({ currentTarget }) => set({ rounding: currentTarget.value })}
        />
      </Form>
    </Dialog>
  );
}
