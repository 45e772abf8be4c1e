type None = Record<never, never>;
interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
  above?: number | undefined;
}

/** Declares the values of a problem; nothing is kept of them but their type. */
const as = <Values>() => null as Values;
const NONE = as<None>();

/** What is wrong with the value of a field. Pages say it beside the field, or with its name. */
const FIELD_PROBLEMS = {
  required: NONE,
  used: NONE,
  gone: NONE,
  slug: NONE,
  email: NONE,
  bot_token: NONE,
  too_long: as<{ max: number }>(),
  too_short: as<{ min: number }>(),
  length: as<{ min: number; max: number }>(),
  integer: as<Bounds>(),
  number: as<Bounds>(),
  decimals: as<{ decimals: number }>(),
  amount_most: as<{ most: string }>(),
  list: as<{ min?: number; max: number; characters?: number }>(),
  bytes_most: as<{ most: number }>(),
  choose_one: NONE,
  date: NONE,
  characters: NONE,
  url: NONE,
  https: NONE,
  public_host: NONE,
  port: NONE,
  no_password: NONE,
  not_future: NONE,
  no_sale: NONE,
  time_zone: NONE,
  named_twice: NONE,
};

/**
 * What refusals are about, for pages, which word each in their own languages: the problem's name, and the
 * values that its words name. Beside these, a problem that concerns one field has its `path` in the input. A
 * refusal that none of these fits has its code as its problem (docs/behaviour.md §11).
 */
export const PROBLEMS = {
  ...FIELD_PROBLEMS,
  /** Several fields are wrong, or one in several ways. */
  several: as<{ problems: Told[] }>(),

  // Any call.
  key_used: NONE,
  changed_meanwhile: NONE,
  not_undone: NONE,
  file_most: as<{ most: string }>(),
  picture_kind: NONE,
  pictures_most: as<{ mebibytes: number }>(),
  suspended: as<{ reason: string }>(),
  not_in_plan: NONE,
  start_first: NONE,
  period_most: as<{ most: number; unit: 'hour' | 'day' | 'week' | 'month' }>(),

  // People.
  prove: NONE,
  wrong_password: NONE,
  wrong_code: NONE,
  wrong_sign_in: NONE,
  easy_password: NONE,
  member_already: NONE,
  invited_already: NONE,
  invitations_most: as<{ most: number }>(),
  bad_link: NONE,
  used_link: NONE,
  signed_in_as: as<{ email: string }>(),
  signed_out: NONE,
  only_owner: NONE,
  owner_already: NONE,
  kept_by_another: NONE,
  one_group: NONE,
  tokens_most: as<{ most: number }>(),
  views_most: as<{ most: number }>(),
  view_not_yours: NONE,

  // The catalog.
  own_parent: NONE,
  same_value: NONE,
  options_most: as<{ most: number }>(),
  values_most: as<{ most: number }>(),
  variants_most: as<{ most: number }>(),
  stock_beyond: as<{ stock: number }>(),
  sold_uncounted: NONE,
  several_have_code: NONE,
  choose_variant: NONE,
  products_most: as<{ count: number; most: number }>(),

  // Orders and customers.
  not_on_sale: NONE,
  out_of_stock: as<{ left: number }>(),
  line_most: as<{ most: number }>(),
  items_too_late: as<{ status: string }>(),
  items_being_paid: as<{ until: string }>(),
  below_bonus: as<{ amount: string }>(),
  order_too_large: NONE,
  note_not_yours: NONE,
  note_too_old: NONE,
  balance_below: as<{ balance: string }>(),
  balance_above: as<{ most: string }>(),
  price_changed: as<{ total: number }>(),
  no_such_customer: NONE,
  chat_not_linked: NONE,
  banned: NONE,
  answer_missing: as<{ fieldId?: string }>(),
  answer_wrong: as<{ fieldId?: string }>(),
  promocode_not_asked: NONE,
  promocode_unknown: NONE,
  promocode_inactive: NONE,
  promocode_expired: NONE,
  promocode_used_up: NONE,
  promocode_or_bonus: NONE,
  bonus_not_asked: NONE,
  bonus_too_much: as<{ most: number }>(),
  tip_too_much: as<{ most: number }>(),
  method_unknown: as<{ withoutToken?: string }>(),
  method_currency: as<{ method: string }>(),
  no_orders_yet: NONE,

  // The shop's settings, its bot and its deliveries.
  masked: NONE,
  conditions_most: as<{ count: number; most: number }>(),
  providers_most: as<{ most: number }>(),
  of_checkout_form: NONE,
  no_invoices: NONE,
  no_bot: NONE,
  no_switch: NONE,
  no_button_address: NONE,
  bot_elsewhere: NONE,
  token_refused: NONE,
  messenger_said: as<{ why: string }>(),
  recipients_most: as<{ count: number; most: number }>(),
  being_sent: NONE,
  body_gone: NONE,
};

interface OfVariant {
  /** Its name, if another record of the call may be meant. */
  variant?: string;
}
/** The place in a list, from 1. */
interface Placed {
  place: number;
}

/** What answers warn of, for pages: names and values as those of refusals. */
export const WARNINGS = {
  more: as<{ count: number }>(),
  cleared: as<{ fields: string[] }>(),
  blank: as<{ field: string }>(),
  finer: as<{ field: string; counted: number }>(),

  // The catalog.
  sale_not_below: as<OfVariant & { sale: number; price: number }>(),
  price_jump: as<OfVariant & { before: number; after: number }>(),
  free: as<OfVariant>(),
  options: as<{ count: number }>(),
  no_effect: as<{ fields: string[] }>(),
  unseen: as<{ category: string; below?: string }>(),
  text_alone: as<{ text: string }>(),
  still_says: as<{ text: string; shown: string }>(),
  off_sale: as<{ count: number }>(),
  on_sale: as<{ count: number }>(),

  // Orders and customers.
  blank_note: NONE,
  refund_above: as<{ total: number }>(),
  refund_below: as<{ total: number }>(),
  refunded_before: NONE,
  large_credit: as<{ delta: number; spent: number }>(),
  settled: as<{ settled: number; owed: number }>(),

  // Marketing.
  expired: NONE,
  endless: NONE,
  contest_over: NONE,
  markup: as<{ markup: string }>(),
  no_button: NONE,
  no_trigger: NONE,
  no_level: as<Placed>(),
  no_promotion: as<Placed>(),
  no_category: as<{ key: string }>(),
  uncapped: as<{ rate: number }>(),
  above_average: as<{ field: string; amount: number; average: number }>(),

  // The form of the checkout, and paying.
  removed: as<{ ids: string }>(),
  same_id: as<Placed>(),
  no_field: as<Placed>(),
  never_holds: as<Placed>(),
  contradiction: as<Placed>(),
  no_adjustment: as<Placed>(),
  negative: as<Placed & { counted: number }>(),
  finer_change: as<Placed & { counted: number }>(),
  above_tip: as<{ amount: number }>(),
  unpayable: as<{ currency: string }>(),
  lacks_currency: as<{ name: string; currency: string }>(),
  no_currencies: as<{ codes: string }>(),
  no_token: as<{ name: string }>(),
  namesake: as<{ name: string }>(),
};

export type FieldProblems = typeof FIELD_PROBLEMS;
export type Problems = typeof PROBLEMS;
export type Problem = keyof Problems;
export type Warnings = typeof WARNINGS;
export type Warning = keyof Warnings;
type Telling = Problem | Warning;
export type ValuesOf<Name extends Telling> = (Problems & Warnings)[Name] & { path?: string };

/** A problem, or what is warned of, as pages are told of it. */
export interface Told {
  problem: string;
  values: Record<string, unknown>;
}

/** What is wrong, in English for everybody, and for pages. */
export interface Sentence {
  text: string;
  told?: Told;
}

/** The last argument of what tells of a problem: nothing, if the problem has no values. */
export type Given<Name extends Telling> =
  None extends ValuesOf<Name> ? [values?: ValuesOf<Name>] : [values: ValuesOf<Name>];

export const tell = <Name extends Telling>(problem: Name, ...[values]: Given<Name>): Told => ({
  problem,
  values: { ...(values as object) },
});

/** @param text begins with the path of the field, if the problem is one of a field */
export const sentence = <Name extends Problem>(
  text: string,
  problem: Name,
  ...given: Given<Name>
): Sentence => ({
  text,
  told: tell(problem, ...given),
});

export const warning = <Name extends Warning>(text: string, name: Name, ...given: Given<Name>): Sentence => ({
  text,
  told: tell(name, ...given),
});

/** The same sentence about a field further down: its path follows another. */
export const below = (path: string, { text, told }: Sentence): Sentence => ({
  text: path + text,
  told: told && { ...told, values: { ...told.values, path: path + String(told.values.path) } },
});

/** @param what such as `brand of this store` */
export const used = (path: string, what: string) =>
  sentence(`${path} is already used by another ${what}`, 'used', { path });

export const gone = (path: string, what: string, way = '') =>
  sentence(`${path} is not a ${what} of this store${way}`, 'gone', { path });
