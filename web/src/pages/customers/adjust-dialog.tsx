import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../api/client';
import { useChange } from '../../api/change';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { refused } from '../../parts/forms/refused';
import { Money } from '../../parts/values/values';
import { words } from '../../words';

/** Adds to or subtracts from a shopper's bonus by hand. The ledger shows the entry with its reason. */
export function AdjustDialog({
  customer,
  onClose,
}: {
  customer: Output<'get_customer'>;
  onClose: () => void;
}) {
  const { currency } = useStore();
  const adjust = useChange('adjust_bonus', {
    done: words.customers.adjusted,
    undo: (made) => ({ customerId: customer.id, delta: -made.delta }),
    refusals: 'form',
    onDone: onClose,
  });
  const [amount, setAmount] = useState<string | number>('');
  const [reason, setReason] = useState('');
  // In major units, like all bonus amounts, with at most two decimals.
  const delta = Math.round(Number(amount) * 100) / 100;
  const errors = refused(adjust.error, { delta, reason });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void adjust.make({ customerId: customer.id, delta, reason: reason.trim() || undefined });
  };
  return (
    <Modal opened onClose={onClose} title={words.customers.adjust}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {adjust.error && errors.rest && <Failure error={adjust.error} />}
          <NumberInput
            label={`${words.customers.change}, ${currency}`}
            description={words.customers.adjustHint}
            data-autofocus
            decimalScale={2}
            value={amount}
            onChange={setAmount}
            error={errors.of('delta')}
          />
          <TextInput
            label={words.customers.reason}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={errors.of('reason')}
          />
          <Text size="sm">
            {words.customers.balanceAfter}:{' '}
            <Money major={customer.bonusBalance + (Number.isFinite(delta) ? delta : 0)} />
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button type="submit" loading={adjust.isPending} disabled={!delta}>
              {words.common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
