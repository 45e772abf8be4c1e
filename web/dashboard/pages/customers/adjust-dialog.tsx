import { Text, TextInput } from '@mantine/core';
import { DecimalInput } from '../../parts/inputs/decimal-input';
import type { Output } from '../../api/client';
import { useChange } from '../../api/change';
import { useStore } from '../../api/store';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { type Inputs, inputsOf, useRow } from '../../parts/inputs/inputs-of';
import { Money } from '../../parts/values/values';
import { words } from '../../words/all';

interface Values {
  delta: number | null;
  reason: string;
}

interface Props {
  customer: Output<'get_customer'>;
  onClose: () => void;
}

/** Adds to or subtracts from a shopper's bonus by hand. The ledger shows the entry with its reason. */
export function AdjustDialog({ customer: { id, bonusBalance, bonusOwed }, onClose }: Props) {
  const adjust = useChange('adjust_bonus', {
    done: words.customers.adjusted,
    refusals: 'form',
    onDone: onClose,
  });
  const [values, change] = useRow<Values>({ delta: null, reason: '' });
  // In major units, like all bonus amounts.
  const delta = values.delta ?? 0;
  const settled = Math.max(Math.min(bonusOwed, delta), 0);
  const reason = values.reason.trim() || undefined;
  return (
    <Dialog onClose={onClose} title={words.customers.adjust}>
      <Form
        values={values}
        change={adjust}
        submit={{ label: words.common.save, disabled: !delta }}
        onSubmit={() => void adjust.make({ customerId: id, delta, reason })}
        onCancel={onClose}
      >
        {(errorOf) => (
          <>
            <AdjustInputs {...inputsOf(values, change, errorOf)} />
            <Text size="sm">
              {words.customers.balanceAfter}: <Money major={bonusBalance + delta - settled} />
              {settled > 0 && (
                <>
                  {' '}
                  ({words.customers.kinds.debt_settled}: <Money major={settled} />)
                </>
              )}
            </Text>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function AdjustInputs({ text, value }: Inputs<Values>) {
  const { currency, currencyDecimals } = useStore();
  return (
    <>
      <DecimalInput
        {...value('delta')}
        isAmount
        label={`${words.customers.change}, ${currency}`}
        description={words.customers.adjustHint}
        data-autofocus
        // Bonus has those of the currency, but no finer ones than these.
        decimals={Math.min(currencyDecimals, 2)}
      />
      <TextInput {...text('reason')} label={words.customers.reason} />
    </>
  );
}
