import type { Shop } from '../api';
import { cart, setQuantity } from '../cart';
import { Button, said } from '../failure';
import { major, minor } from '../money';
import { go, useCell } from '../state';
import { Picture, Placeholder, Stepper } from '../parts';
import { BackAction, Link, MainAction } from '../ui';
import { words } from '../words';
import { lineOfRefusal, useQuote } from '../checkout/quote';
import { methodsOf } from '../checkout/methods';

export function CartPage({ shop }: { shop: Shop }) {
  const lines = useCell(cart);
  const methods = methodsOf(shop, null);
  const isClosed = methods.length === 0;
  const { quote, refusal } = useQuote(isClosed ? [] : lines, { paymentMethod: methods[0]?.name ?? '' });
  const wrong = refusal ? lineOfRefusal(refusal) : null;
  if (lines.length === 0) return <EmptyCart />;
  const isFresh = quote?.lines.length === lines.length;
  const stored = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const sum = quote && isFresh ? minor(quote.total) : major(stored);
  return (
    <>
      <BackAction />
      <main>
        <h1>{words.cart}</h1>
        <ul class="lines">
          {lines.map((line, i) => (
            <li key={`${line.productId} ${line.variantId ?? ''}`}>
              <Picture src={line.image} />
              <span class="line">
                <Link to={`p/${line.id}`}>
                  <span dir="auto">{line.title}</span>
                </Link>
                {line.variant && <small dir="auto">{line.variant}</small>}
                <span>
                  {isFresh ? minor(quote.lines[i].price * line.quantity) : major(line.price * line.quantity)}
                </span>
                {wrong === i && <small class="wrong">{said(refusal!)}</small>}
                <span class="acts">
                  <Stepper value={line.quantity} onChange={(quantity) => setQuantity(line, quantity)} />
                  <button type="button" class="plain" onClick={() => setQuantity(line, 0)}>
                    {words.remove}
                  </button>
                </span>
              </span>
            </li>
          ))}
        </ul>
        {isClosed && <p class="warning">{words.refusals.no_orders_yet}</p>}
        {refusal && wrong === null && (
          <p class="problem" role="alert">
            {said(refusal)}
          </p>
        )}
        <p class="sum">
          {words.total}: <b>{sum}</b>
        </p>
      </main>
      <MainAction
        text={words.checkout}
        isActive={wrong === null && !isClosed && refusal?.problem !== 'no_orders_yet'}
        onPress={() => go('checkout')}
      />
    </>
  );
}

export function EmptyCart() {
  return (
    <>
      <BackAction />
      <main>
        <h1>{words.cart}</h1>
        <Placeholder title={words.emptyCart} hint={words.emptyCartHint}>
          <Button text={words.browse} onPress={() => go('', { replace: true })} />
        </Placeholder>
      </main>
    </>
  );
}
