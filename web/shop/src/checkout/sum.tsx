import type { Quote } from '../api';
import { minor } from '../money';
import { Row } from '../parts';
import { words } from '../words';

/** A sum line by line, of a quote or of an order. */
export function Sum({
  of,
}: {
  of: Pick<Quote, 'lines' | 'adjustments' | 'promocode' | 'bonus' | 'tip' | 'total'>;
}) {
  return (
    <section class="rows">
      {of.lines.map(({ title, quantity, price }, i) => (
        <Row key={i} title={`${quantity} × ${title}`} after={minor(price * quantity)} />
      ))}
      {of.adjustments.map(({ label, amount }, i) => (
        <Row key={i} title={label ?? ''} after={minor(amount)} />
      ))}
      {of.promocode && (
        <Row title={`${words.promocode} ${of.promocode.code}`} after={minor(-of.promocode.amount)} />
      )}
      {of.bonus > 0 && <Row title={words.bonus} after={minor(-of.bonus)} />}
      {of.tip > 0 && <Row title={words.tip} after={minor(of.tip)} />}
      <Row isStrong title={words.total} after={minor(of.total)} />
    </section>
  );
}
