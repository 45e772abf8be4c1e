import { Button, Group, Popover, SegmentedControl } from '@mantine/core';
import { cloneElement, type ReactElement, type RefAttributes, useRef, useState } from 'react';
import { useChange } from '../../api/change';
import { Form } from '../../parts/forms/form';
import { mayClose } from '../../parts/forms/unsaved';
import { DecimalInput } from '../../parts/inputs/decimal-input';
import { choicesOf } from '../../parts/inputs/inputs-of';
import { type OpenMenuProps, useOpened } from '../../parts/menus/open-menu';
import { words } from '../../words/all';

export interface StockProps {
  productId: string;
  variantId?: string;
  name: string;
  /** Null if the stock is not counted. */
  amount: number | null;
}

/** The form over the page. Like an `OpenMenu` it is open when it is first drawn. */
export function StockPopover({ button, ...props }: StockProps & OpenMenuProps) {
  const { target, opened, setOpened } = useOpened();
  const box = useRef<HTMLDivElement>(null);
  const close = () => setOpened(false);
  return (
    <Popover
      opened={opened}
      onChange={(isWanted) => !isWanted && mayClose(box.current) && close()}
      position="bottom-end"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        {cloneElement(button as ReactElement<RefAttributes<HTMLButtonElement> & { onClick: () => void }>, {
          ref: target,
          onClick: () => setOpened(true),
        })}
      </Popover.Target>
      <Popover.Dropdown ref={box} aria-label={words.products.stockOf(props.name)}>
        <StockForm {...props} onDone={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

const MODES = ['delta', 'absolute'] as const;
type Mode = (typeof MODES)[number];

function StockForm({ productId, variantId, name, onDone }: StockProps & { onDone: () => void }) {
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
