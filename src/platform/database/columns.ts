import { getMetadataArgsStorage } from 'typeorm';
import { fields } from '../schema/field-spec.js';
import { INTEGER } from './store-row.entity.js';

type Name<Row> = keyof Row & string;

/** A source of a row's column names: an entity, an output class, or the names themselves. */
type Described<Row> = (new () => Row) | readonly Name<Row>[];

/** The column of a property: `logo_url` for `logoUrl`. */
export const columnOf = (property: string) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Rows for json_populate_recordset: JSON with the names of columns. */
export function recordset(rows: readonly object[]): string {
  const names = new Map<string, string>();
  const nameOf = (property: string) => {
    const name = names.get(property) ?? columnOf(property);
    names.set(property, name);
    return name;
  };
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value as unknown])),
    ),
  );
}

/**
 * The column list of a statement, each column under its property's name: `p.id, p.sale_price as "salePrice"`.
 * A bigint that input validation keeps within ±(2^53-1) is read as a double, which the driver returns as a
 * number; the mark `!` says that it is never null (statement.ts). `storeId` is never included.
 */
export function columns<Row extends object>(
  of: Described<Row>,
  alias: string,
  except: readonly Name<Row>[] = [],
): string {
  return described(of as Described<object>)
    .filter(({ name }) => name !== 'storeId' && !(except as readonly string[]).includes(name))
    .map(({ name, isInteger, isNullable }) => {
      const column = columnOf(name);
      if (isInteger) return `${alias}.${column}::float8 as "${name}${isNullable ? '' : '!'}"`;
      return `${alias}.${column}${column === name ? '' : ` as "${name}"`}`;
    })
    .join(', ');
}

interface Column {
  name: string;
  isInteger: boolean;
  isNullable?: boolean;
}

function described(of: Described<object>): Column[] {
  if (typeof of !== 'function') return of.map((name) => ({ name, isInteger: false }));
  const ancestors: unknown[] = [];
  for (let type: unknown = of; type !== Function.prototype; type = Object.getPrototypeOf(type))
    ancestors.push(type);
  const entity = getMetadataArgsStorage().columns.filter(({ target }) => ancestors.includes(target));
  return entity.length > 0
    ? entity.map(({ propertyName, options }) => ({
        name: propertyName,
        isInteger: options.transformer === INTEGER,
        isNullable: options.nullable,
      }))
    : fields(of).map(({ name, schema, nullable }) => ({
        name,
        isInteger: schema.type === 'integer',
        isNullable: nullable,
      }));
}
