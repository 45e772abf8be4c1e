import { Money } from '../../parts/values/values';

/** The current price. If there is a sale price, the regular one is struck through. */
export function Price({ price, salePrice }: { price: number; salePrice: number | null }) {
  if (salePrice === null) return <Money major={price} />;
  return (
    <>
      <Money major={salePrice} />{' '}
      <s className="numeric">
        <Money major={price} />
      </s>
    </>
  );
}
