import { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { useShop } from '../../support/test-app.js';

interface DatabaseColumn extends Record<string, unknown> {
  name: string;
  type: string;
  nullable: boolean;
}

/**
 * Migrations are plain SQL, with keys TypeORM cannot express; what entities say of columns must be true of
 * them all the same.
 */
describe('entities and migrations', () => {
  const app = useShop();

  it('agree on every column, its type and whether it may be null', async () => {
    const entities = app.nest.get(DataSource).entityMetadatas;
    for (const entity of entities) {
      const columns = await app.query<DatabaseColumn>(
        `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable
         from pg_attribute a where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
           and a.attgenerated = ''
           order by 1`,
        [entity.tableName],
      );
      // What the database computes is left out; an entity has it only where it is asked for.
      const written = entity.columns.filter(({ isInsert }) => isInsert);
      const declared = written.map((column) => ({
        name: column.databaseName,
        type: typeOf(column),
        nullable: column.isNullable,
      }));
      expect({
        table: entity.tableName,
        columns: declared.sort((a, b) => (a.name < b.name ? -1 : 1)),
      }).toEqual({
        table: entity.tableName,
        columns,
      });
    }
  });
});

const NAMES: Record<string, string> = {
  timestamptz: 'timestamp with time zone',
  int: 'integer',
  int4: 'integer',
  int8: 'bigint',
  bool: 'boolean',
};

function typeOf({ type, precision, scale, isArray }: ColumnMetadata): string {
  const name = NAMES[String(type)] ?? String(type);
  if (name === 'timestamp with time zone') return `timestamp(${precision}) with time zone`;
  const size = name === 'numeric' && precision ? `(${precision},${scale ?? 0})` : '';
  return `${name}${size}${isArray ? '[]' : ''}`;
}
