import { getMetadataArgsStorage } from 'typeorm';
import { fields } from '../schema/fields.js';
import { INTEGER } from './store-row.entity.js';

type Name<Row> = keyof Row & string;

/** A source of a row's column names: an entity, an output class, or the names themselves. */
type Described<Row> = (new () => Row) | readonly Name<Row>[];

/** The column of a property: `logo_url` for `logoUrl`. */
export const columnOf = (property: string) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The column list of a statement, each column under its property's name: `p.id, p.sale_price as "salePrice"`.
 * A bigint that input validation keeps within ±(2^53-1) is read as a double, which the driver returns as a
 * number. `storeId` is never included.
 */
export function columns<Row extends object>(
  of: Described<Row>,
  alias: string,
  except: readonly Name<Row>[] = [],
): string {
  return described(of as Described<object>)
    .filter(({ name }) => name !== 'storeId' && !(except as readonly string[]).includes(name))
    .map(({ name, isInteger }) => {
      const column = columnOf(name);
      return `${alias}.${column}${isInteger ? '::float8' : ''}${column === name && !isInteger ? '' : ` as "${name}"`}`;
    })
    .join(', ');
}

function described(of: Described<object>): { name: string; isInteger: boolean }[] {
  if (typeof of !== 'function') return of.map((name) => ({ name, isInteger: false }));
  const ancestors: unknown[] = [];
  for (let type: unknown = of; type !== Function.prototype; type = Object.getPrototypeOf(type))
    ancestors.push(type);
  const entity = getMetadataArgsStorage().columns.filter(({ target }) => ancestors.includes(target));
  return entity.length > 0
    ? entity.map(({ propertyName, options }) => ({
        name: propertyName,
        isInteger: options.transformer === INTEGER,
      }))
    : fields(of).map(({ name, schema }) => ({ name, isInteger: schema.type === 'integer' }));
}
