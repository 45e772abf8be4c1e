import { PROBLEMS } from '../../platform/problems.js';
import { type Endpoint, pathOf } from '../../platform/call/endpoint.js';
import { INTERNAL_ERROR } from '../../platform/errors.js';
import type { Answers, Refusals } from './answers.js';
import type { NamedSchemas } from './named-schemas.js';
import { runOperation } from './run-operation.js';
import { webhooks } from './webhooks.js';

/** The parts of a door's document that do not come from its endpoints. */
export interface Preface {
  title: string;
  description: string;
  /** How callers authenticate, as an OpenAPI security scheme. */
  securityScheme: { name: string; scheme: object };
  refusals: Refusals;
  /** The problems that refusals name beside their codes (docs/behaviour.md §11), if they do. */
  problems?: readonly string[];
  /**
   * The callers of an endpoint: in words, as an `x-` extension, and as `security` if it differs from that of
   * the document.
   */
  accessOf: (endpoint: Endpoint) => { sentence: string; [keyword: string]: unknown };
  /** Adds parts that are not endpoints. */
  more?: (schemas: NamedSchemas, answers: Answers) => More;
}

export interface More {
  tags: string[];
  paths?: Record<string, object>;
  webhooks?: Record<string, object>;
}

const MONEY = 'Orders carry money in minor units of the currency, products in major units.';
const ANSWERS =
  'Success is `{ ok: true, data }`, failure `{ ok: false, error: { code, message } }`. ' +
  'Every answer carries `X-Request-Id`, the one of the call or a new one, and what is left of the budget: ' +
  '`RateLimit-Limit` ' +
  'calls in 60 s, `RateLimit-Remaining` of them now, `RateLimit-Reset` seconds until one is given back.';

/** Refusals that are the same at every door. */
const REFUSALS = {
  precondition_failed: {
    description: 'The record has changed since If-Match. Nothing was done.',
    message: 'The record has changed: its updatedAt is 2026-05-04T09:30:00.000Z',
  },
  internal_error: {
    description: 'An error of the service. Give support the X-Request-Id of the answer.',
    message: INTERNAL_ERROR.message,
  },
};

export const OPERATIONS_PREFACE: Preface = {
  title: 'Shop Administration API',
  description: `Every operation is \`POST /v1/{operation}\` with a JSON object. ${ANSWERS}\n\n${MONEY}`,
  securityScheme: {
    name: 'token',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API token of one store (`shop_live_…`), or an access token that a person gave an app by ' +
        'signing in.',
    },
  },
  refusals: {
    ...REFUSALS,
    invalid_input: {
      description: "The body does not match the operation's input.",
      message: 'orderId must be an integer greater than 0',
    },
    invalid_token: {
      description: 'The token is missing, malformed, expired or revoked.',
      message: 'The bearer token is missing, malformed, expired or revoked',
    },
    forbidden: {
      description: "The token's scope is too narrow, or the store's plan lacks the feature.",
      message: 'delete_order needs a token of scope admin; this one has write',
    },
    not_found: {
      description: "There is no such record in the token's store.",
      message: 'Order 1042 was not found in this store',
    },
    rate_limited: {
      description: 'Too many calls in 60 s.',
      message: 'The limit of 30 write calls per minute is reached; try again in 12 s',
    },
  },
  accessOf: ({ scope }) => ({ sentence: `Scope: ${scope}.`, 'x-scope': scope }),
  more: webhooks,
};

/** The callers of a route of the dashboard, by its access. */
const WHO = {
  public: 'For everybody, signed in or not.',
  optional: 'For everybody; who is signed in acts as the signed-in user.',
  user: 'For everybody who is signed in.',
  member: 'For the owner and the staff of the store.',
  owner: "For the store's owner.",
};
const SECURITY: { [access: string]: object } = {
  public: { security: [] },
  optional: { security: [{ session: [] }, {}] },
};

/**
 * @param cookie the name of the session's cookie
 * @param operations the names of the operations, which the dashboard can also run
 */
export const dashboardPreface = (cookie: string, operations: string[]): Preface => ({
  title: 'Shop Dashboard API',
  description:
    `What the pages of the dashboard call. Every page of a store is open to its owner; staff have all but ` +
    `the owner's. ${ANSWERS}\n\n${MONEY}`,
  securityScheme: {
    name: 'session',
    scheme: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Set by auth/sign-in.' },
  },
  refusals: {
    ...REFUSALS,
    invalid_input: {
      description: 'The input does not match what the page accepts.',
      message: 'email must be a string of 1 to 254 characters',
    },
    invalid_token: { description: 'Not signed in, or the session has ended.', message: 'Sign in first' },
    forbidden: {
      description: 'For owners only, or the request came from another site.',
      message: "Only the store's owner may do this",
    },
    not_found: {
      description: 'There is no such record or operation, or no such store among those of the user.',
      message: 'There is no such store',
    },
    rate_limited: {
      description: 'Too many calls, or too many attempts to sign in.',
      message: 'The limit of 600 read calls per minute is reached; try again in 12 s',
    },
  },
  problems: Object.keys(PROBLEMS),
  accessOf: (endpoint) => {
    const ofStore = endpoint.scope === 'admin' ? 'owner' : 'member';
    const access = endpoint.access ?? (pathOf(endpoint).includes(':storeId') ? ofStore : 'user');
    return { sentence: WHO[access], 'x-access': access, ...SECURITY[access] };
  },
  more: (_, answers) => runOperation(operations, answers),
});

export const STOREFRONT_PREFACE: Preface = {
  title: 'Storefront API',
  description: `What a shop's Mini App calls. Pages of any origin may call it. ${ANSWERS}\n\n${MONEY}`,
  securityScheme: {
    name: 'initData',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        "`tma <initData>`: the Mini App's init data as the messenger handed it over, at most a day old.",
    },
  },
  refusals: {
    ...REFUSALS,
    invalid_input: {
      description:
        'The input does not match what the route accepts, or the order cannot be placed like this.',
      message: 'items[0].quantity: only 2 of Logo T-shirt are left',
    },
    invalid_token: {
      description: "Init data is missing, older than a day, or not signed for the store's bot.",
      message: "The init data is missing, too old or not signed for this store's bot",
    },
    forbidden: {
      description: 'The shopper is banned from the store.',
      message: 'This shopper is banned from the store',
    },
    not_found: { description: 'There is no such store.', message: 'There is no such store' },
    rate_limited: {
      description: 'Too many calls of this shopper in 60 s.',
      message: 'The limit of 30 write calls per minute is reached; try again in 12 s',
    },
  },
  problems: Object.keys(PROBLEMS),
  accessOf: ({ budget }) => ({ sentence: `Counts as a ${budget}.`, 'x-budget': budget }),
};
