import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { CampaignRecord, type CampaignState } from './campaign-history.dto.js';
import type { CampaignFailureRecord } from './campaigns.dto.js';

const MAY_BE_WRITTEN_TO = 'not c.is_banned and not c.is_bot_blocked';

/** The active contacts of contact_counts are the customers who may get messages. */
export const COUNT_EVERYONE = statement(
  'count_campaign_everyone',
  `select coalesce(sum(active), 0)::integer as "count!" from contact_counts where store_id = $store`,
);

export const LIST_EVERYONE = statement(
  'list_campaign_everyone',
  `select c.id from customers c where c.store_id = $store and ${MAY_BE_WRITTEN_TO} order by c.id limit $most`,
  { slow: true },
);

/** Which of the ids are customers, and which of those may get messages. */
export const LOOK_UP_CHOSEN = statement(
  'look_up_campaign_chosen',
  `select g.id as "id!", c.id is not null as "is_known!",
     coalesce(${MAY_BE_WRITTEN_TO}, false) as "is_recipient!"
   from unnest($ids::bigint[]) as g (id) left join customers c on c.store_id = $store and c.id = g.id`,
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
 * with this key: of two concurrent calls, the second waits here for the commit of the first.
 */
export const INSERT_CAMPAIGN = statement(
  'insert_campaign',
  `with campaign as (
    insert into campaigns (store_id, id, name, text, image_url, button_text, button_url, audience,
      recipient_count, idempotency_key, actor, input_hash, lease_token, lease_until, created_at)
    values ($store, $id, $name, $text, $imageUrl?, $buttonText?, $buttonUrl?, $audience,
      cardinality($customerIds::bigint[]), $key?, $actor, $inputHash, $leaseToken, ${LEASE_END}, $now)
    on conflict on constraint campaigns_idempotency_key do nothing returning store_id, id
  ), recipients as (
    insert into campaign_recipients (store_id, campaign_id, customer_id, text)
    select c.store_id, c.id, r.id, r.text
    from campaign c, unnest($customerIds::bigint[], $texts::text[]) as r (id, text)
  ) select id from campaign`,
);

/**
 * A campaign that finished at `$oldest` or before frees its key. An unfinished campaign always keeps its key,
 * so that a repeat sends the rest.
 */
export const FIND_CAMPAIGN_BY_KEY = statement(
  'find_campaign_by_key',
  `select id, input_hash, status = 'finished' as "is_finished!",
     coalesce(finished_at <= $oldest, false) as "is_over!",
     coalesce(lease_until > clock_timestamp(), false) as "is_leased!"
   from campaigns where store_id = $store and idempotency_key = $key`,
);

/**
 * Makes calls of one caller with the same input wait for each other, until the first has inserted its
 * campaign.
 */
export const LOCK_CAMPAIGN_INPUT = statement(
  'lock_campaign_input',
  `select from pg_advisory_xact_lock(hashtextextended($store::text || $actor::text || $inputHash::text, 0))`,
);

/** The campaign that a call without a key repeats: a recent one, or an unfinished one of the last day. */
export const FIND_CAMPAIGN_BY_INPUT = statement(
  'find_campaign_by_input',
  `select id, status = 'finished' as "is_finished!",
     coalesce(lease_until > clock_timestamp(), false) as "is_leased!"
   from campaigns where store_id = $store and actor = $actor and input_hash = $inputHash
     and created_at > case when status = 'finished' then $recent::timestamptz
       else $unfinished::timestamptz end
   order by id desc limit 1`,
);

export const FREE_CAMPAIGN_KEY = statement(
  'free_campaign_key',
  `update campaigns set idempotency_key = null where store_id = $store and id = $id`,
);

/** Returns no row if another call holds the lease or the campaign is finished. */
export const CLAIM_CAMPAIGN = statement(
  'claim_campaign',
  `update campaigns set lease_token = $leaseToken, lease_until = ${LEASE_END}
   where store_id = $store and id = $id and status = 'sending'
     and (lease_until is null or lease_until <= clock_timestamp()) returning id`,
);

export const RENEW_CAMPAIGN = statement(
  'renew_campaign',
  `update campaigns set lease_until = ${LEASE_END}
   where store_id = $store and id = $id and lease_token = $leaseToken returning id`,
);

/**
 * Settles what a call that broke off has left, before another call continues. A message that was being sent
 * may have arrived, so it is never sent again, and its outcome is unknown.
 */
export const SETTLE_LEFTOVERS = statement(
  'settle_campaign_leftovers',
  `update campaign_recipients set status = 'failed', reason = 'unknown'
   where store_id = $store and campaign_id = $id and status = 'sending'`,
);

export const LIST_PENDING = statement(
  'list_pending_recipients',
  `select customer_id as id, text from campaign_recipients
   where store_id = $store and campaign_id = $id and status = 'pending' order by customer_id`,
);

/**
 * Returns no row if another call has taken over the campaign. A customer who was banned or has blocked the
 * bot since the campaign began gets no message; the row then has a status other than `sending`. In a store
 * that was suspended meanwhile nobody gets one, and the status stays `pending`.
 */
export const BEGIN_RECIPIENT = statement(
  'begin_campaign_recipient',
  `with lease as (
    update campaigns set lease_until = ${LEASE_END}
    where store_id = $store and id = $id and lease_token = $leaseToken
    returning id,
      exists (select from stores s where s.id = $store and s.suspended_at is not null) as is_suspended
  ) update campaign_recipients r set
     status = case when lease.is_suspended then 'pending' when ${MAY_BE_WRITTEN_TO} then 'sending'
       when c.is_banned then 'failed' else 'blocked' end,
     reason = case when lease.is_suspended or ${MAY_BE_WRITTEN_TO} then null
       when c.is_banned then 'banned' else 'blocked' end
   from lease, customers c
   where r.store_id = $store and r.campaign_id = lease.id and r.customer_id = $customerId
     and r.status = 'pending' and c.store_id = $store and c.id = r.customer_id
   returning r.status`,
);

/**
 * The lease is not checked: a message has only one sender, and its outcome, however late, is better than
 * `unknown`.
 */
export const SETTLE_RECIPIENT = statement(
  'settle_campaign_recipient',
  `update campaign_recipients set status = $status, reason = $reason?, detail = $detail?, sent_at = $sentAt?
   where store_id = $store and campaign_id = $id and customer_id = $customerId`,
);

/** The campaign is finished if no recipient is pending. */
export const NOTE_CAMPAIGN_PICTURE = statement(
  'note_campaign_picture',
  `update campaigns set picture_refused = $refused where store_id = $store and id = $id`,
);

export const END_CAMPAIGN = statement(
  'end_campaign',
  `with rest as (
    select exists (
      select from campaign_recipients where store_id = $store and campaign_id = $id and status = 'pending'
    ) as is_left
  ) update campaigns c set lease_token = null, lease_until = null,
     status = case when is_left then 'sending' else 'finished' end,
     finished_at = case when is_left then null else $now::timestamptz end
   from rest where c.store_id = $store and c.id = $id and c.lease_token = $leaseToken`,
);

const PENDING = `count(*) filter (where r.status in ('pending', 'sending'))::integer`;
/** The outcomes of the recipients of the campaign `c`, of which there are few. */
const OUTCOMES = `count(*) filter (where r.status = 'sent')::integer as "sent!",
    count(*) filter (where r.status = 'failed')::integer as "failed!",
    count(*) filter (where r.status = 'blocked')::integer as "blocked!"`;
const RECIPIENTS = `from campaign_recipients r where r.store_id = c.store_id and r.campaign_id = c.id`;

export const GET_TOTALS = statement(
  'get_campaign_totals',
  `select c.id as "campaignId", c.recipient_count as "recipientCount", r.*
   from campaigns c cross join lateral (
     select ${OUTCOMES}, nullif(${PENDING}, 0) as pending, coalesce(
       json_agg(json_build_object('customerId', r.customer_id::text, 'reason', r.reason,
         'detail', r.detail)
         order by r.customer_id) filter (where r.status in ('failed', 'blocked')), '[]') as "failures!"
     ${RECIPIENTS}
   ) r where c.store_id = $store and c.id = $id`,
  { row: as<{ failures: CampaignFailureRecord[] }>() },
);

/** SQL of campaigns `c` with the outcomes of their recipients. */
const campaignsOf = (rows: string) => `
  select ${columns(CampaignRecord, 'c', ['audience', 'status', 'pending', 'sent', 'failed', 'blocked'])},
    case when c.audience->'all' is null then 'chosen' else 'all' end as "audience!",
    case when c.status = 'finished' then 'finished' when c.lease_until > clock_timestamp() then 'sending'
      else 'interrupted' end as "status!", r.*
  from ${rows} c cross join lateral (
    select ${PENDING} as "pending!", ${OUTCOMES}
    ${RECIPIENTS}
  ) r`;
const STATE = { row: as<{ status: CampaignState }>() };

export const LIST_CAMPAIGNS = statement(
  'list_campaigns',
  `${campaignsOf(`(
    select k.* from campaigns k where k.store_id = $store and k.id < $idBelow order by k.id desc limit $take
  )`)} order by c.id desc`,
  STATE,
);

export const GET_CAMPAIGN = statement(
  'get_campaign',
  `${campaignsOf('campaigns')} where c.store_id = $store and c.id = $id`,
  STATE,
);

/** By the ids of the customers. */
export const LIST_FAILURES = statement(
  'list_campaign_failures',
  `select r.customer_id as "customerId", c.username,
     nullif(concat_ws(' ', c.first_name, c.last_name), '') as "customerName", r.reason, r.detail
   from campaign_recipients r join customers c on c.store_id = r.store_id and c.id = r.customer_id
   where r.store_id = $store and r.campaign_id = $id and r.customer_id > $idAbove
     and r.status in ('failed', 'blocked')
   order by r.customer_id limit $take`,
);
