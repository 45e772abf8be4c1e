import { createHash } from 'node:crypto';
import type { StoreContext } from '../../store/store-context.js';

/** When a run began. */
export interface Since {
  /** Milliseconds of the system clock, as in UUIDv7. */
  ids: number;
  /** By the clock of the service. */
  times: number;
  /** Times that the caller gave are the same in every run, however near they are. */
  given: ReadonlySet<number>;
}

export const sinceNow = (ctx: StoreContext, input: object): Since => ({
  ids: Date.now(),
  times: ctx.now().getTime(),
  given: new Set(
    JSON.stringify(input)
      .match(GIVEN_TIME)
      ?.map((time) => Date.parse(time)),
  ),
});

/** UUIDs of version 7 begin with their time. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const GIVEN_TIME = /\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)/g;
/** Longer than any run takes. */
const A_RUN_MS = 60_000;

/** Ids and times that the run itself made are left out, because the next run makes others. */
export function hashOf(outcome: object, since: Since): string {
  const seen = new Map<string, string>();
  const text = JSON.stringify(outcome)
    .replace(ID, (id) => {
      if (parseInt(id.slice(0, 8) + id.slice(9, 13), 16) < since.ids) return id;
      if (!seen.has(id)) seen.set(id, `new ${seen.size}`);
      return seen.get(id)!;
    })
    .replace(TIME, (time) => {
      const moment = Date.parse(time);
      const age = moment - since.times;
      return age >= 0 && age < A_RUN_MS && !since.given.has(moment) ? 'now' : time;
    });
  return createHash('sha256').update(text).digest('hex');
}
