import { Text } from '@mantine/core';
import { Money, When } from '../../parts/values/values';
import { words } from '../../words/all';

interface Props {
  price: number;
  salePrice: number | null;
  /** When the sale ends, if that is shown. */
  saleUntil?: string | null;
}

/** The current price. If there is a sale price, the regular one is struck through. */
export function Price({ price, salePrice, saleUntil = null }: Props) {
  if (salePrice === null) return <Money major={price} />;
  return (
    <>
      <Money major={salePrice} />{' '}
      <s className="numeric">
        <Money major={price} />
      </s>
      {saleUntil !== null && (
        <Text size="sm" c="dimmed">
          {words.products.until} <When iso={saleUntil} />
        </Text>
      )}
    </>
  );
}
