import { readFileSync } from 'node:fs';
import path from 'node:path';
import { StoreSession } from '../../src/platform/database/session.js';
import type { Statement } from '../../src/platform/database/statement.js';
import { SystemDatabase } from '../../src/platform/database/system.js';

const GENERATED = path.resolve(__dirname, '../../src/platform/database/statements.generated.ts');

/** The columns declared never to be null, by statement: its line ends in `row: { id: string; … } };`. */
const NEVER_NULL = new Map(
  readFileSync(GENERATED, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, row] = /^ {2}(\w+): .* row: \{ (.*) \} \};$/.exec(line) ?? [];
      const columns = row?.split('; ').filter((column) => !column.endsWith(' | null'));
      return columns ? [[name, columns.map((column) => column.split(':')[0])] as const] : [];
    }),
);

type Run = (statement: Statement<never>, ...given: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * Makes every session of the tests refuse a row with a null where the types say that there is none: the mark
 * `!` of a column, and the rules for joins, are otherwise believed.
 */
export function refuseNulls(): void {
  const classes = [StoreSession.prototype, SystemDatabase.prototype];
  for (const prototype of classes as unknown as Record<'query' | 'read', Run>[])
    for (const method of ['query', 'read'] as const) prototype[method] = checked(prototype[method]);
}

/** Known to every copy of this module: the built service's classes outlive a test file. */
const CHECKED = Symbol.for('shop-tests-checked');

function checked(send: Run & { [CHECKED]?: true }): Run {
  if (send[CHECKED]) return send;
  const check: Run = async function (this: unknown, statement, ...given) {
    const rows = await send.call(this, statement, ...given);
    for (const column of NEVER_NULL.get(statement.name) ?? [])
      if (rows.some((row) => row[column] === null))
        throw new Error(
          `statement ${statement.name}: column ${column} is null, so it must not have the mark !`,
        );
    return rows;
  };
  return Object.assign(check, { [CHECKED]: true as const });
}
