import { Text } from '@mantine/core';
import type { Planned } from '../../../../../packages/import/src/planning/plan';
import { useStore } from '../../../api/store';
import { When } from '../../../parts/values/values';
import { words } from '../../../words/all';
import { Pictures } from './differences';

/** Longer tables would take a phone seconds to draw. */
const SHOWN = 50;

interface Made {
  images: string[];
  price: number;
  salePrice?: number;
  saleUntil?: string;
  itemAmount?: number;
  isHidden: boolean;
  brand: string | null;
  category: string | null;
  variants?: { optionTitle: string; values: Value[] }[];
}

interface Value {
  variantValue: string;
  price: number;
  salePrice?: number;
  itemAmount?: number;
}

/** New products as shoppers would find them: pictures, prices, and their variants as a table. */
export function NewProducts({ products }: { products: Planned[] }) {
  const all = products.filter(({ made }) => made !== undefined);
  if (all.length === 0) return null;
  return (
    <div className="surface list-scroll" tabIndex={0} role="region" aria-label={words.imports.newProducts}>
      <table className="table">
        <thead>
          <tr>
            <th>{words.imports.newProducts}</th>
            <th>{words.imports.fields.price}</th>
            <th>{words.imports.fields.variant}</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, SHOWN).map(({ title, line, made }) => (
            <Product key={line} title={title} line={line} made={made as unknown as Made} />
          ))}
        </tbody>
      </table>
      {all.length > SHOWN && <Text size="sm">{words.common.andMore(all.length - SHOWN)}</Text>}
    </div>
  );
}

function Product({ title, line, made }: { title: string; line: number; made: Made }) {
  const { currency } = useStore();
  const { images, brand, category, isHidden, variants = [] } = made;
  const about = [brand, category, isHidden && words.imports.fields.isHidden].filter(Boolean).join(', ');
  return (
    <tr>
      <th scope="row">
        <Text size="sm">{title}</Text>
        <Text size="sm" c="dimmed" fw={400}>
          {[words.imports.line(line), about].filter(Boolean).join(', ')}
        </Text>
        <Pictures addresses={images} />
      </th>
      <td>
        {sold(made, currency)}
        {made.saleUntil !== undefined && (
          <Text size="sm" c="dimmed">
            {words.products.until} <When iso={made.saleUntil} />
          </Text>
        )}
      </td>
      <td>
        {variants.map(({ optionTitle, values }) => (
          <div key={optionTitle}>
            <Text size="sm">{optionTitle}</Text>
            {values.slice(0, 20).map((value) => (
              <Text key={value.variantValue} size="sm" c="dimmed">
                {value.variantValue}: {sold(value, currency)}
              </Text>
            ))}
            {values.length > 20 && <Text size="sm">{words.common.andMore(values.length - 20)}</Text>}
          </div>
        ))}
      </td>
    </tr>
  );
}

/** `20 (18) USD, 5` */
function sold({ price, salePrice, itemAmount }: Omit<Value, 'variantValue'>, currency: string): string {
  const sale = salePrice === undefined ? '' : ` (${salePrice})`;
  const stock = itemAmount === undefined ? '' : `, ${words.imports.pieces(itemAmount)}`;
  return `${price}${sale} ${currency}${stock}`;
}
