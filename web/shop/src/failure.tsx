import type { Refusal } from './api';
import { close, clientAnswers, launch } from './client';
import { minor, major } from './money';
import { useCell } from './state';
import { Placeholder } from './parts';
import { words } from './words';

/** What shoppers read of a refusal. One that has no words of its own is told in the service's. */
export function said({ problem, values, message }: Refusal): string {
  if (problem === 'out_of_stock') return words.outOfStock(Number(values.left));
  if (problem === 'price_changed') return words.priceChanged(minor(Number(values.total)));
  if (problem === 'tip_too_much') return words.tipTooMuch(minor(Number(values.most)));
  if (problem === 'bonus_too_much') return words.bonusTooMuch(major(Number(values.most)));
  return words.refusals[problem] ?? message;
}

/** A page that cannot be shown, and the way on. */
export function Failure({ refusal, again }: { refusal: Refusal; again: () => void }) {
  const isClients = useCell(clientAnswers);
  const isOver =
    refusal.problem === 'signed_out' || refusal.problem === 'banned' || refusal.problem === 'suspended';
  return (
    <main>
      <Placeholder isPage title={said(refusal)}>
        {isOver ? (
          isClients && <Button text={words.closeShop} onPress={close} />
        ) : (
          <Button text={words.retry} onPress={again} />
        )}
      </Placeholder>
    </main>
  );
}

export const Button = ({ text, onPress }: { text: string; onPress: () => void }) => (
  <button type="button" class="button" onClick={onPress}>
    {text}
  </button>
);

/** Opened by a browser, which knows no shopper. */
export function Outside() {
  return (
    <main>
      {launch.shop && <h1 dir="auto">{launch.shop}</h1>}
      <Placeholder isPage={!launch.shop} title={words.outside} hint={words.outsideHint}>
        {launch.bot && (
          <a class="button" href={`https://t.me/${launch.bot}?start=shop`}>
            {words.openBot}
          </a>
        )}
      </Placeholder>
    </main>
  );
}
