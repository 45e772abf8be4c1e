import { Text } from '@mantine/core';
import type { Field } from '../../../../../packages/import/src/formats/fields';
import type { Planned, Shown } from '../../../../../packages/import/src/planning/plan';
import { When } from '../../../parts/values/values';
import { words } from '../../../words/all';
import { columnName } from './columns-step';

/** Longer tables would take a phone seconds to draw. */
const SHOWN = 200;

/** What would change of products that exist: before and after, pictures drawn. */
export function Differences({ products }: { products: Planned[] }) {
  const all = products.flatMap(({ differences }) => differences);
  if (all.length === 0) return null;
  return (
    <div className="surface list-scroll" tabIndex={0} role="region" aria-label={words.products.reviewTitle}>
      <table className="table">
        <thead>
          <tr>
            <th>{words.products.product}</th>
            <th>{words.audit.before}</th>
            <th>{words.audit.after}</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, SHOWN).map(({ line, name, field, before, after }) => (
            <tr key={`${line} ${field}`}>
              <th scope="row">
                <Text size="sm">{name}</Text>
                <Text size="sm" c="dimmed" fw={400}>
                  {words.imports.line(line)}, {columnName(field)}
                </Text>
              </th>
              <td>
                <Value field={field} value={before} />
              </td>
              <td>
                <Value field={field} value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > SHOWN && <Text size="sm">{words.common.andMore(all.length - SHOWN)}</Text>}
    </div>
  );
}

function Value({ field, value }: { field: Field; value: Shown }) {
  if (field === 'saleUntil' && typeof value === 'string') return <When iso={value} />;
  if (Array.isArray(value)) return <Pictures addresses={value} />;
  const text = typeof value === 'boolean' ? words.imports.flags[Number(value)] : String(value ?? '');
  return (
    <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {text || '–'}
    </Text>
  );
}

/** The first pictures of a product. */
export const Pictures = ({ addresses }: { addresses: string[] }) => (
  <span className="import-pictures">
    {addresses.slice(0, 5).map((address) => (
      <img key={address} src={address} alt="" loading="lazy" referrerPolicy="no-referrer" />
    ))}
    {addresses.length > 5 && <span>{words.common.andMore(addresses.length - 5)}</span>}
  </span>
);
