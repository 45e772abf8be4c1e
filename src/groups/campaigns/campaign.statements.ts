import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';

const MAY_BE_WRITTEN_TO = 'not c.is_banned and not c.is_bot_blocked';

/** The active contacts of contact_counts are the customers who may get messages. */
export const COUNT_EVERYONE = statement(
  'count_campaign_everyone',
  `select coalesce(sum(active), 0)::integer as count from contact_counts where store_id = $1`,
);

/** $2 the maximum number. */
export const LIST_EVERYONE = statement(
  'list_campaign_everyone',
  `select c.id from customers c where c.store_id = $1 and ${MAY_BE_WRITTEN_TO} order by c.id limit $2`,
  { slow: true },
);

/** $2 ids. Returns which of them are customers, and which of those may get messages. */
export const LOOK_UP_CHOSEN = statement(
  'look_up_campaign_chosen',
  `select g.id::text as id, c.id is not null as is_known, coalesce(${MAY_BE_WRITTEN_TO}, false) as is_recipient
   from unnest($2::bigint[]) as g (id) left join customers c on c.store_id = $1 and c.id = g.id`,
);

/**
 * How long a call may remain the sender after its last sign of life. The lease is renewed with every message,
 * so it must last longer than one message may take (SEND_TIMEOUT_MS of the sender). It uses the database's
 * time, which all instances share.
 */
export const LEASE_SECONDS = 15;
const LEASE_END = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

/**
 * Inserts a campaign and all its recipients as pending. Returns no row if the store already has a campaign
 * with this key: of two concurrent calls, the second waits here for the commit of the first. $2 id, $3 to $7
 * the message, $8 audience, $9 recipients, $10 key, $11 hash of the input, $12 lease token, $13 now.
 */
export const INSERT_CAMPAIGN = statement(
  'insert_campaign',
  `with campaign as (
    insert into campaigns (store_id, id, name, text, image_url, button_text, button_url, audience, recipient_count,
      idempotency_key, input_hash, lease_token, lease_until, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, cardinality($9::bigint[]), $10, $11, $12, ${LEASE_END}, $13)
    on conflict on constraint campaigns_idempotency_key do nothing returning store_id, id
  ), recipients as (
    insert into campaign_recipients (store_id, campaign_id, customer_id)
    select c.store_id, c.id, r.id from campaign c, unnest($9::bigint[]) as r (id)
  ) select id from campaign`,
);

/**
 * $2 key, $3 the time at or before which a campaign must have finished for its key to be free again. An
 * unfinished campaign always keeps its key, so that a repeat sends the rest.
 */
export const FIND_CAMPAIGN_BY_KEY = statement(
  'find_campaign_by_key',
  `select id, input_hash, status = 'finished' as is_finished, coalesce(finished_at <= $3, false) as is_over,
     coalesce(lease_until > clock_timestamp(), false) as is_leased
   from campaigns where store_id = $1 and idempotency_key = $2`,
);

export const FREE_CAMPAIGN_KEY = statement(
  'free_campaign_key',
  `update campaigns set idempotency_key = null where store_id = $1 and id = $2`,
);

/**
 * $2 campaign, $3 lease token. Returns no row if another call holds the lease or the campaign is finished.
 */
export const CLAIM_CAMPAIGN = statement(
  'claim_campaign',
  `update campaigns set lease_token = $3, lease_until = ${LEASE_END}
   where store_id = $1 and id = $2 and status = 'sending' and (lease_until is null or lease_until <= clock_timestamp()) returning id`,
);

export const RENEW_CAMPAIGN = statement(
  'renew_campaign',
  `update campaigns set lease_until = ${LEASE_END} where store_id = $1 and id = $2 and lease_token = $3 returning id`,
);

/**
 * Settles what a call that broke off has left, before another call continues. A message that was being sent
 * may have arrived, so it is never sent again, and its outcome is unknown.
 */
export const SETTLE_LEFTOVERS = statement(
  'settle_campaign_leftovers',
  `update campaign_recipients set status = 'failed', reason = 'unknown'
   where store_id = $1 and campaign_id = $2 and status = 'sending'`,
);

export const LIST_PENDING = statement(
  'list_pending_recipients',
  `select customer_id as id from campaign_recipients
   where store_id = $1 and campaign_id = $2 and status = 'pending' order by customer_id`,
);

/**
 * $2 campaign, $3 lease token, $4 customer. Returns no row if another call has taken over the campaign. A
 * customer who was banned or has blocked the bot since the campaign began gets no message; the row then has a
 * status other than `sending`.
 */
export const BEGIN_RECIPIENT = statement(
  'begin_campaign_recipient',
  `with lease as (
    update campaigns set lease_until = ${LEASE_END} where store_id = $1 and id = $2 and lease_token = $3 returning id
  ) update campaign_recipients r set
     status = case when ${MAY_BE_WRITTEN_TO} then 'sending' when c.is_banned then 'failed' else 'blocked' end,
     reason = case when ${MAY_BE_WRITTEN_TO} then null when c.is_banned then 'banned' else 'blocked' end
   from lease, customers c
   where r.store_id = $1 and r.campaign_id = lease.id and r.customer_id = $4 and r.status = 'pending'
     and c.store_id = $1 and c.id = r.customer_id
   returning r.status`,
);

/**
 * $2 campaign, $3 customer, $4 status, $5 reason, $6 detail, $7 when it was sent. The lease is not checked: a
 * message has only one sender, and its outcome, however late, is better than `unknown`.
 */
export const SETTLE_RECIPIENT = statement(
  'settle_campaign_recipient',
  `update campaign_recipients set status = $4, reason = $5, detail = $6, sent_at = $7
   where store_id = $1 and campaign_id = $2 and customer_id = $3`,
);

/** $2 campaign, $3 lease token, $4 now. The campaign is finished if no recipient is pending. */
export const END_CAMPAIGN = statement(
  'end_campaign',
  `with rest as (
    select exists (select from campaign_recipients where store_id = $1 and campaign_id = $2 and status = 'pending') as is_left
  ) update campaigns c set lease_token = null, lease_until = null,
     status = case when is_left then 'sending' else 'finished' end, finished_at = case when is_left then null else $4::timestamptz end
   from rest where c.store_id = $1 and c.id = $2 and c.lease_token = $3`,
);

export const GET_TOTALS = statement(
  'get_campaign_totals',
  `select c.id as "campaignId", c.recipient_count as "recipientCount", r.sent, r.failed, r.blocked, r.failures
   from campaigns c cross join lateral (
     select count(*) filter (where status = 'sent')::integer as sent, count(*) filter (where status = 'failed')::integer as failed,
       count(*) filter (where status = 'blocked')::integer as blocked,
       coalesce(json_agg(json_build_object('customerId', customer_id::text, 'reason', reason) order by customer_id)
         filter (where status in ('failed', 'blocked')), '[]') as failures
     from campaign_recipients where store_id = c.store_id and campaign_id = c.id
   ) r where c.store_id = $1 and c.id = $2`,
);

/** SQL of campaigns `c` with the outcomes of their recipients. A campaign has few recipients. */
const campaignsOf = (rows: string) => `
  select ${columns(['id', 'name', 'text', 'imageUrl', 'buttonText', 'buttonUrl', 'createdAt', 'finishedAt'], 'c')},
    c.recipient_count as "recipientCount", case when c.audience->'all' is null then 'chosen' else 'all' end as audience,
    case when c.status = 'finished' then 'finished' when c.lease_until > clock_timestamp() then 'sending' else 'interrupted' end as status,
    r.pending, r.sent, r.failed, r.blocked
  from ${rows} c cross join lateral (
    select count(*) filter (where r.status in ('pending', 'sending'))::integer as pending,
      count(*) filter (where r.status = 'sent')::integer as sent, count(*) filter (where r.status = 'failed')::integer as failed,
      count(*) filter (where r.status = 'blocked')::integer as blocked
    from campaign_recipients r where r.store_id = c.store_id and r.campaign_id = c.id
  ) r`;

/** $2 the id below which the page starts, $3 the number of rows, newest first. */
export const LIST_CAMPAIGNS = statement(
  'list_campaigns',
  `${campaignsOf('(select k.* from campaigns k where k.store_id = $1 and k.id < $2 order by k.id desc limit $3)')} order by c.id desc`,
);

export const GET_CAMPAIGN = statement(
  'get_campaign',
  `${campaignsOf('campaigns')} where c.store_id = $1 and c.id = $2`,
);

/** $2 campaign, $3 the customer after whom the page starts, $4 the number of rows. */
export const LIST_FAILURES = statement(
  'list_campaign_failures',
  `select r.customer_id::text as "customerId", nullif(concat_ws(' ', c.first_name, c.last_name), '') as "customerName", c.username,
     r.reason, r.detail
   from campaign_recipients r join customers c on c.store_id = r.store_id and c.id = r.customer_id
   where r.store_id = $1 and r.campaign_id = $2 and r.customer_id > $3 and r.status in ('failed', 'blocked')
   order by r.customer_id limit $4`,
);
