import { Button, Group, NumberInput, Popover, SegmentedControl, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/change';
import { Failure } from '../../parts/failure';
import { number } from '../../parts/values/format';
import { words } from '../../words';

interface Props {
  productId: string;
  variantId?: string;
  name: string;
  /** Null if the stock is not counted. */
  amount: number | null;
}

/** The stock of a product or variant, edited in place: by a difference, or as a new count. */
export function Stock({ productId, variantId, name, amount }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const [mode, setMode] = useState<'delta' | 'absolute'>('delta');
  const [value, setValue] = useState<number | string>('');
  const change = useChange('update_stock', {
    done: words.products.stockSaved(name),
    // Only a difference can be undone. Restoring a count could overwrite a sale that happened in between.
    undo: ({ delta }) => (delta === undefined ? undefined : { productId, variantId, delta: -delta }),
    refusals: 'form',
    onDone: () => {
      close();
      setValue('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change.make({ productId, variantId, [mode]: Number(value) });
  };
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      position="bottom-end"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color={amount === 0 ? 'red' : 'gray'}
          size="compact-sm"
          className="above numeric"
          aria-label={words.products.stockOf(name)}
          onClick={open}
        >
          {amount === null ? '∞' : number(amount)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.products.stockOf(name)}>
        <form onSubmit={submit}>
          <Stack gap="xs">
            {change.error && <Failure error={change.error} />}
            <SegmentedControl
              aria-label={words.products.stockMode}
              data={[
                { value: 'delta', label: words.products.stockBy },
                { value: 'absolute', label: words.products.stockTo },
              ]}
              value={mode}
              onChange={(chosen) => setMode(chosen as 'delta' | 'absolute')}
            />
            <NumberInput
              aria-label={words.products.stock}
              value={value}
              onChange={setValue}
              allowDecimal={false}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button type="submit" size="sm" disabled={value === ''}>
                {words.common.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
