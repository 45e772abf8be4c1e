import { Button, Group, Popover, SegmentedControl } from '@mantine/core';
import { DecimalInput } from '../../parts/inputs/decimal-input';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useChange } from '../../api/change';
import { Form } from '../../parts/forms/form';
import { mayClose } from '../../parts/forms/unsaved';
import { choicesOf } from '../../parts/inputs/inputs-of';
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
export function Stock(props: Props) {
  const { name, amount } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const box = useRef<HTMLDivElement>(null);
  const shown = amount === null ? '∞' : number(amount);
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && mayClose(box.current) && close()}
      position="bottom-end"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color={amount === 0 ? 'red' : 'gray'}
          size="compact-sm"
          className="above numeric in-line"
          aria-label={`${words.products.stockOf(name)}: ${shown}`}
          onClick={open}
        >
          {shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown ref={box} aria-label={words.products.stockOf(name)}>
        <StockForm {...props} onDone={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

const MODES = ['delta', 'absolute'] as const;
type Mode = (typeof MODES)[number];

function StockForm({ productId, variantId, name, onDone }: Props & { onDone: () => void }) {
  const [mode, setMode] = useState<Mode>('delta');
  const [value, setValue] = useState<number | null>(null);
  const change = useChange('update_stock', {
    done: words.products.stockSaved(name),
    refusals: 'form',
    onDone,
  });
  const submit = () => void change.make({ productId, variantId, [mode]: value });
  return (
    <Form values={{ [mode]: value }} isDirty={value !== null} change={change} gap="xs" onSubmit={submit}>
      {(errorOf) => (
        <>
          <SegmentedControl
            aria-label={words.products.stockMode}
            data={choicesOf(MODES, { delta: words.products.stockBy, absolute: words.products.stockTo })}
            value={mode}
            onChange={(chosen) => setMode(chosen as Mode)}
          />
          <DecimalInput
            aria-label={words.products.stock}
            value={value}
            error={errorOf(mode)}
            onChange={setValue}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" size="sm" disabled={value === null}>
              {words.common.save}
            </Button>
          </Group>
        </>
      )}
    </Form>
  );
}
