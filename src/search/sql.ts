import { MAX_TOTAL } from '../platform/schema/pages/page.js';
import type { Kind } from './needle.js';

// The SQL of searches: a page and a total, made from one description of a kind of record.

/** A sort order of a list: by a value and the id, which are `$afterAt` and `$afterId` of the row before. */
export interface Walk {
  /** SQL of so many of the next rows in their order, with all columns of a record. */
  rows: (most: string) => string;
  /** The column by which it is sorted before the id, and its type. Null: by the id alone. */
  by: { column: string; type: 'timestamptz' | 'bigint' } | null;
  /** The column of the id by whose index the rows are sorted. Default `id`. */
  id?: string;
  isRising: boolean;
}

/** A kind of record that is searched. Parameters that are null are no conditions. */
export interface Searched<Sort extends string> {
  kind: Kind;
  idType: 'bigint' | 'uuid';
  /** SQL of the record with this id, to which conditions can be added; its row is `r`. */
  record: (id: string) => string;
  walks: Record<Sort, Walk>;
  /** SQL of the conditions on row `r`, but for the text. */
  filter: string;
  /** SQL of the ids of each source besides the text; `$by` names the one that is read. */
  sources: Record<string, string>;
}

/** SQL of the condition that a row comes after `$afterAt` and `$afterId`. */
export function behind(
  { by, isRising }: Pick<Walk, 'by' | 'isRising'>,
  type: string,
  at: string,
  id: string,
) {
  const sign = isRising ? '>' : '<';
  return by
    ? `(${at}, ${id}) ${sign} ($afterAt::${by.type}, $afterId::${type})`
    : `${id} ${sign} $afterId::${type}`;
}

export function inOrder({ by, isRising }: Pick<Walk, 'by' | 'isRising'>, at: string, id: string): string {
  const direction = isRising ? '' : ' desc';
  return `${by ? `${at}${direction}, ` : ''}${id}${direction}`;
}

/** How many of the next rows tell whether something is common, and how many of them it must then have. */
const PROBE = 300;
const COMMON = 2;

const KEYS = { order: 'order_id', product: 'product_id', customer: 'customer_id' };

/**
 * SQL of whether the record with this id has a document with what was typed. The offset keeps the server from
 * reading all documents of the store once instead of those of the few rows that are asked.
 */
function hasDocument(kind: Kind, id: string): string {
  const tracking = 'left join search_documents t on t.store_id = $store and t.tracking_of = d.order_id';
  const [join, text] = kind === 'order' ? [tracking, `coalesce(t.text, '') || d.text`] : ['', 'd.text'];
  return `exists (select from search_documents d ${join}
    cross join lateral (select ${text} as text) w
    where d.store_id = $store and d.${KEYS[kind]} = ${id}
      and (w.text like all ($patterns?::text[]) and w.text ~ all ($numbers?::text[])
        or w.text like $joined?::text) offset 0)`;
}

/** SQL of the ids that have what was typed in an index of their own: a number, or a phone number. */
const numbered = (kind: Kind) => `
    select r.id from ${kind}s r where r.store_id = $store and r.id = $number?::bigint
    union
    select p.${KEYS[kind]} from order_phones p
    where p.store_id = $store and p.digits >= $phoneEnd?::text and p.digits < $phoneEnd? || ':'
    union
    select p.${KEYS[kind]} from order_phones p where p.store_id = $store and p.digits = $phoneLocal?::text`;

/** SQL of whether record `r` has the text. */
const hasText = (kind: Kind) => `($patterns?::text[] is null or ${hasDocument(kind, 'r.id')}
    ${kind === 'product' ? '' : `or r.id in (${numbered(kind)})`})`;

/** SQL of the ids with the text. @param most SQL of how many of them are enough */
function withText(kind: Kind, most: string): string {
  const key = KEYS[kind];
  const documents = `select f.${key} as id from search_ids($store::uuid, $pieces?::integer[],
      $patterns?::text[], $numbers?::text[], $joinedPieces?::integer[], $joined?::text,
      $trackingWords?::text[], ${most}) f
    where f.${key} is not null`;
  if (kind === 'product') return documents;
  return `${documents} union all
    select o.id from (${numbered(kind)}) o (id) where not ${hasDocument(kind, 'o.id')}`;
}

/** SQL of the ids of the source that `$by` names. */
function found({ kind, sources }: Pick<Searched<string>, 'kind' | 'sources'>, most: string): string {
  return Object.entries({ text: withText(kind, most), ...sources })
    .map(([name, ids]) => `select n.id from (${ids}) n (id) where $by::text = '${name}'`)
    .join(' union all ');
}

/**
 * SQL of the ids of a page, with the total if few are found. What is common is found among the next
 * `$window` rows of the list (`near`), which are read if the first of them have some (`probe`). If those do
 * not fill the page, what the source has is sorted and counted (`far`). The source `all` has no more rows.
 */
function pageIds(searched: Searched<string>, walk: Walk): string {
  const { kind, idType, record, filter } = searched;
  const { by, id = 'id' } = walk;
  const isCommon = `$by::text = 'all' or (select count(*) from probe) >= ${COMMON}`;
  const next = `${filter} and ($patterns?::text[] is null or ${hasDocument(kind, 'r.id')})`;
  return `
  with probe as materialized (
    select from (${walk.rows(`least($window::bigint, ${PROBE})`)}) r where ${next} limit ${COMMON}
  ), near as materialized (
    select r.${id} as id
    from (${walk.rows(`case when ${isCommon} then $window else 0 end`)}) r where ${next}
    order by ${inOrder(walk, `r.${by?.column}`, `r.${id}`)} limit $take::bigint
  )
  select n.id, null::integer as total from near n
  where (select count(*) from near) >= $take or $by::text = 'all'
  union all
  (select far.id, far.total from (
     select r.id, r.at, (count(*) over ())::integer as total from (${found(searched, 'null')}) x
     cross join lateral (
       select r.id, ${by ? `r.${by.column}` : 'null'} as at from ${record('x.id')} and ${filter}
         and ($by = 'text' or ${hasText(kind)}) offset 0
     ) r
   ) far
   where (select count(*) from near) < $take and $by <> 'all' and ${behind(walk, idType, 'far.at', 'far.id')}
   order by ${inOrder(walk, 'far.at', 'far.id')} limit $take)`;
}

/** SQL of the records of a page in any order, with `total`, which is null where it is not counted. */
export const pageRows = <Sort extends string>(searched: Searched<Sort>, sort: Sort): string =>
  `select r.*, p.total from (${pageIds(searched, searched.walks[sort])}) p
   cross join lateral (select r.* from ${searched.record('p.id')} offset 0) r`;

/**
 * SQL of a total, at most one more than the highest exact one. `$isWhole` tells that the source has nothing
 * else than what is found.
 */
export function totalOf(searched: Searched<string>): string {
  const { kind, record, filter } = searched;
  const most = `case when $isWhole::boolean then ${MAX_TOTAL + 1} end::bigint`;
  return `select count(*)::integer as "total!" from (
    select from (${found(searched, most)}) x
    where $isWhole or exists (
      select from ${record('x.id')} and ${filter} and ($by = 'text' or ${hasText(kind)}))
    limit ${MAX_TOTAL + 1}
  ) f`;
}
