import { useId, useState } from 'preact/hooks';
import { smallPicture } from '../../../../src/stores/pictures/small-pictures.js';
import { get, type Product, type Shop } from '../api';
import { add, cart, type Line } from '../cart';
import { openInMessenger, vibrate } from '../client';
import { Failure } from '../failure';
import { useCell, useLoaded } from '../state';
import { Picture, Stepper } from '../parts';
import { BackAction, Link, MainAction } from '../ui';
import { words } from '../words';
import { Price } from './catalog';

type Value = Product['variants'][number]['values'][number];

/** The fewest pieces that need not be told. */
const FEW = 5;
const isOut = ({ itemAmount }: { itemAmount: number | null }) => itemAmount === 0;

export function ProductPage({ shop, id }: { shop: Shop; id: string }) {
  const { data, refusal, again } = useLoaded(`p/${id}`, () => get<Product>(`products/${id}`));
  return (
    <>
      <BackAction />
      {data ? (
        <Shown key={data.id} shop={shop} product={data} />
      ) : (
        refusal && <Failure refusal={refusal} again={again} />
      )}
    </>
  );
}

/** One choice over all options: a line of an order names one variant. */
const choicesOf = ({ variants }: Product) =>
  variants.flatMap(({ optionTitle, values }) => values.map((value) => ({ optionTitle, ...value })));

function Shown({ shop, product }: { shop: Shop; product: Product }) {
  const choices = choicesOf(product);
  const [chosenId, setChosen] = useState(choices.find((choice) => !isOut(choice))?.id);
  const [quantity, setQuantity] = useState(1);
  const [isAdded, setAdded] = useState(false);
  const chosen = choices.find(({ id }) => id === chosenId);
  const sold: Pick<Value, 'price' | 'salePrice' | 'itemAmount'> = chosen ?? product;
  const isSoldOut = choices.length > 0 ? choices.every(isOut) : isOut(product);
  const inCart = useCell(cart).find(
    (line) => line.productId === product.productId && line.variantId === chosen?.id,
  );
  const put = () => {
    add(lineOf(product, chosen, quantity));
    setAdded(true);
    vibrate('success');
  };
  return (
    <>
      <main class="product">
        <Pictures images={product.images} />
        <h1 dir="auto">{product.title}</h1>
        <Price {...sold} />
        <Stock amount={sold.itemAmount} isSoldOut={isSoldOut} />
        {product.variants.map(({ optionTitle, values }) => (
          <Options
            key={optionTitle}
            title={optionTitle}
            values={values}
            chosen={chosenId}
            onChoose={setChosen}
          />
        ))}
        {!isSoldOut && <Stepper value={quantity} onChange={setQuantity} />}
        <p role="status">
          {(isAdded || inCart) && (
            <Link to="cart">
              {words.added}: {inCart?.quantity ?? 0}
            </Link>
          )}
        </p>
        {product.description && (
          <p class="description" dir="auto">
            {product.description}
          </p>
        )}
        {product.shippingTime && <p dir="auto">{product.shippingTime}</p>}
        {shop.botUsername && (
          <button type="button" class="plain" onClick={() => shareProduct(shop.botUsername, product)}>
            {words.share}
          </button>
        )}
      </main>
      {isSoldOut ? (
        <MainAction text={words.soldOut} isActive={false} onPress={() => undefined} />
      ) : (
        <MainAction text={words.add} isActive={!isOut(sold)} onPress={put} />
      )}
    </>
  );
}

const lineOf = (product: Product, chosen: Value | undefined, quantity: number): Line => ({
  id: product.id,
  productId: product.productId,
  ...(chosen && { variantId: chosen.id, variant: chosen.variantValue }),
  title: product.title,
  image: product.images.length > 0 ? smallPicture(product.images[0], 320) : null,
  price: (chosen ?? product).salePrice ?? (chosen ?? product).price,
  quantity,
});

function shareProduct(bot: string, { id, title }: Product): void {
  const link = new URLSearchParams({ url: `https://t.me/${bot}?start=p_${id}`, text: title });
  openInMessenger(`https://t.me/share/url?${link}`);
}

function Stock({ amount, isSoldOut }: { amount: number | null; isSoldOut: boolean }) {
  if (isSoldOut || amount === 0) return <p class="wrong">{words.soldOut}</p>;
  return amount !== null && amount <= FEW ? <p class="wrong">{words.left(amount)}</p> : null;
}

function Pictures({ images }: { images: string[] }) {
  return (
    <div class="pictures" tabIndex={images.length > 1 ? 0 : undefined}>
      {(images.length > 0 ? images : [null]).map((image, i) => (
        <Picture key={image} src={image && smallPicture(image, 640)} isFirst={i === 0} />
      ))}
    </div>
  );
}

function Options({
  title,
  values,
  chosen,
  onChoose,
}: {
  title: string;
  values: Value[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  const name = useId();
  return (
    <fieldset class="options">
      <legend dir="auto">{title}</legend>
      {values.map((value) => (
        <label key={value.id} class="chip">
          <input
            type="radio"
            name={`variant-${name}`}
            aria-label={value.variantValue}
            checked={value.id === chosen}
            disabled={isOut(value)}
            onChange={() => onChoose(value.id)}
          />
          <span dir="auto">{value.variantValue}</span>
        </label>
      ))}
    </fieldset>
  );
}
