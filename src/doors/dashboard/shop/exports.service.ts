import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { Sessions } from '../../../people/sign-in/sessions.service.js';
import { Caps } from '../../../platform/caps/caps.js';
import { OperationError } from '../../../platform/errors.js';
import { Finished } from '../../../platform/schema/present.js';
import { Drain } from '../../../platform/http/drain.js';
import { LOGGER, type Logger } from '../../../platform/logging/logger.js';
import { type DtoClass, fields } from '../../../platform/schema/field-spec.js';
import { BYTE_ORDER_MARK } from '../../../platform/text/byte-order-mark.js';
import { neutralized } from '../../../platform/text/formulas.js';
import { writeAudit } from '../../../platform/store/audit.js';
import { type StoreContext, StoreDatabase } from '../../../platform/store/store-context.js';
import { storeProfile } from '../../../stores/store-profile.js';
import { dayAt, zonedTime } from '../../../stores/time-zone.js';
import { EventLoopYield } from '../../../platform/timers.js';
import type { Caller } from '../caller.js';

/** How long a reader may read nothing before it is disconnected. */
const STALLED_MS = 60_000;
const CHECK_MS = 15_000;
/** How many characters of texts are formatted at once: less than a turn of the event loop may take. */
const PORTION = 100_000;

/**
 * A table to export: `kind` is used in the names of the file and of the audit operation, `row` declares the
 * columns.
 */
export interface Table<Row extends object> {
  kind: 'orders' | 'customers' | 'products';
  row: DtoClass;
  filters: { decimalComma?: boolean };
  pages: AsyncGenerator<Row[]>;
}

/** A table with the time zone of its times. */
type Zoned<Row extends object> = Table<Row> & { timeZone: string };

/** The progress of an export. */
interface Progress {
  rows: number;
  isAudited: boolean;
  checkedAt: number;
}

/**
 * Exports tables as CSV files (docs/behaviour.md §10.2), sent page after page as fast as the reader accepts
 * them. The audit row, with the person, the filters and the number of rows, is written before the end of the
 * file. An aborted export is audited with the number of rows that were sent.
 */
@Injectable()
export class Exports implements BeforeApplicationShutdown {
  private readonly responses = new Set<ServerResponse>();

  constructor(
    private readonly database: StoreDatabase,
    private readonly sessions: Sessions,
    private readonly caps: Caps,
    drain: Drain,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    drain.whenStopping(() => this.stop());
  }

  /** @throws OperationError rate_limited, and any error of the first page */
  async start<Row extends object>(ctx: StoreContext, caller: Caller, table: Table<Row>): Promise<Finished> {
    const { storeId, actor } = ctx;
    const call = ctx.call!;
    const free = this.caps.take('exports', { storeId, userId: actor.id!, address: call.address }, call);
    try {
      // The first page is read before anything is sent, so that wrong filters are answered with an error.
      const first = await table.pages.next();
      const { name, timeZone } = await storeProfile(ctx);
      const headers = {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': attachment(table.kind, name, dayAt(ctx.now(), timeZone)),
        'X-Accel-Buffering': 'no',
      };
      const write = (response: ServerResponse) =>
        void this.send(ctx, caller, { ...table, timeZone }, first, response).finally(free);
      return new Finished({ headers, write, abandon: free });
    } catch (error) {
      free();
      throw error;
    }
  }

  /** Aborts the running exports, so that the browser reports a failed download instead of a complete file. */
  beforeApplicationShutdown(): void {
    this.stop();
  }

  private stop(): void {
    for (const response of this.responses) response.destroy();
  }

  private async send<Row extends object>(
    ctx: StoreContext,
    caller: Caller,
    table: Zoned<Row>,
    first: IteratorResult<Row[]>,
    response: ServerResponse,
  ): Promise<void> {
    const progress: Progress = { rows: 0, isAudited: false, checkedAt: performance.now() };
    this.responses.add(response);
    response.setTimeout(STALLED_MS, () => response.destroy());
    try {
      await pipeline(
        Readable.from(this.text(ctx, caller, table, first, progress), { objectMode: false }),
        response,
      );
    } catch (error) {
      // Usually the reader has disconnected.
      this.log.info(
        { err: error, requestId: ctx.requestId, rows: progress.rows },
        'an export was broken off',
      );
      if (!progress.isAudited)
        await this.audit(ctx, table, progress, false).catch((failure: unknown) => this.lost(ctx, failure));
    } finally {
      this.responses.delete(response);
    }
  }

  private async *text<Row extends object>(
    ctx: StoreContext,
    caller: Caller,
    table: Zoned<Row>,
    first: IteratorResult<Row[]>,
    progress: Progress,
  ): AsyncGenerator<string> {
    const declared = fields(table.row);
    const columns = declared.map(({ name }) => name);
    const amounts = new Set(declared.flatMap(({ schema }, i) => (schema.type === 'number' ? [i] : [])));
    const pace = new EventLoopYield();
    const { decimalComma = false } = table.filters;
    yield BYTE_ORDER_MARK + csv([columns], { decimalComma });
    for (let page = first; !page.done; page = await table.pages.next()) {
      await this.requireMember(ctx, caller, progress);
      progress.rows += page.value.length;
      const rows = page.value.map((row) => columns.map((name) => (row as Record<string, unknown>)[name]));
      for (const portion of portions(rows)) {
        yield csv(portion, { amounts, timeZone: table.timeZone, decimalComma });
        await pace.rest();
      }
    }
    await this.audit(ctx, table, progress, true);
  }

  /** Ends a long export if the session or the membership has ended. */
  private async requireMember(
    { storeId, call }: StoreContext,
    { session }: Caller,
    progress: Progress,
  ): Promise<void> {
    if (performance.now() - progress.checkedAt < CHECK_MS) return;
    progress.checkedAt = performance.now();
    const viewer = { storeId, tokenHash: session!.tokenHash, groups: call!.auth.principal!.groups ?? null };
    const open = await this.sessions.stillOpen([viewer]);
    if (!open.has(viewer)) throw new OperationError('invalid_token', 'Your session has ended');
  }

  private async audit(
    ctx: StoreContext,
    table: Table<object>,
    { rows }: Progress,
    isComplete: boolean,
  ): Promise<void> {
    const { storeId, currency, actor } = ctx;
    const entry = {
      operation: `${table.kind}.export`,
      transport: 'dashboard',
      input: table.filters,
      changes: { rows: [null, rows], isComplete: [null, isComplete] } satisfies Record<
        string,
        [unknown, unknown]
      >,
      outcome: 'ok',
    } as const;
    await this.database.inStore(
      { storeId, currency, actor },
      async (own) => writeAudit(own, entry),
      ctx.requestId,
    );
  }

  private lost({ requestId, log }: StoreContext, error: unknown): void {
    log.error({ err: error, requestId }, 'an export was not audited');
  }
}

function* portions(rows: unknown[][]): Generator<unknown[][]> {
  let portion: unknown[][] = [];
  let characters = 0;
  for (const row of rows) {
    portion.push(row);
    for (const value of row) characters += typeof value === 'string' ? value.length : 20;
    if (characters < PORTION) continue;
    yield portion;
    [portion, characters] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}

/**
 * Formats rows as in RFC 4180. Texts are neutralized; amounts, which are exact decimals as text, are not, so
 * that negative ones can be added up.
 * @param amounts the positions of the columns that have amounts
 * @param timeZone by which times are written, with their distance from UTC
 * @param decimalComma as spreadsheets of most of Europe read it: semicolons between cells
 */
function csv(
  rows: unknown[][],
  { amounts = new Set<number>(), timeZone = 'UTC', decimalComma = false },
): string {
  const amount = (text: string) => (decimalComma ? text.replace('.', ',') : text);
  return stringify(rows, {
    record_delimiter: '\r\n',
    delimiter: decimalComma ? ';' : ',',
    // By default a lone carriage return is not quoted.
    quoted_match: /[\r\n]/,
    cast: {
      string: (text, { index }) => (amounts.has(index) ? amount(text) : neutralized(text)),
      boolean: String,
      date: (time) => zonedTime(time, timeZone),
    },
  });
}

/**
 * The Content-Disposition header. The file name has the Latin letters and digits of the store's name, and the
 * day.
 */
function attachment(kind: string, store: string, day: string): string {
  const plain = store.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const name = [kind, slug.slice(0, 60), day].filter(Boolean).join('-');
  return `attachment; filename="${name}.csv"`;
}
