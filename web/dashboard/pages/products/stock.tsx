import { Button } from '@mantine/core';
import { laterMenu, MenuButton } from '../../parts/menus/menu-button';
import { number } from '../../parts/values/format';
import { words } from '../../words/all';
import type { StockProps } from './stock-popover';

const StockPopover = laterMenu(() => import('./stock-popover').then((file) => file.StockPopover));

/** The stock of a product or variant, edited in place: by a difference, or as a new count. */
export function Stock(props: StockProps) {
  const { name, amount } = props;
  const shown = amount === null ? '∞' : number(amount);
  const button = (
    <Button
      variant="subtle"
      color={amount === 0 ? 'red' : 'gray'}
      size="compact-sm"
      className="above numeric in-line"
      aria-label={`${words.products.stockOf(name)}: ${shown}`}
    >
      {shown}
    </Button>
  );
  return (
    <MenuButton
      button={button}
      opens="dialog"
      menu={(target) => <StockPopover {...props} button={target} />}
    />
  );
}
