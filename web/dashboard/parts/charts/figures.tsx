import { words } from '../../words/all';
import { number } from '../values/format';
import { Money } from '../values/values';
import { Figure } from './figure';
import type { Figures } from './period';

/** Revenue, the orders that it counts, what they make on average, and visitors; each with its change. */
export function FigureRow({ total, comparedTotal }: Pick<Figures, 'total' | 'comparedTotal'>) {
  const change = (name: keyof typeof total) => {
    if (!comparedTotal) return undefined;
    const before = comparedTotal[name];
    return before === 0 ? null : (100 * (total[name] - before)) / Math.abs(before);
  };
  const { figures } = words;
  const others = total.placed - total.orders;
  return (
    <div className="figures">
      <Figure label={figures.revenue} value={<Money minor={total.revenue} />} change={change('revenue')} />
      <Figure
        label={figures.counted}
        value={number(total.orders)}
        change={change('orders')}
        hint={others > 0 ? figures.others(others) : undefined}
      />
      <Figure label={figures.average} value={<Money minor={total.average} />} change={change('average')} />
      <Figure label={figures.visitors} value={number(total.visitors)} change={change('visitors')} />
    </div>
  );
}
