import type { Sentence, Told } from '../../../../src/platform/problems';
import { words } from '../../words/all';
import { ofStore } from '../amounts';
import { fieldLabel } from './in-words';

/** The name of a field as forms have it, also of an amount of monetization. */
function label(field: string): string {
  const { joinBonus: referralJoinBonus, referrerBonus: referrerOrderBonus, cap } = words.monetization;
  return { referralJoinBonus, referrerOrderBonus, maxCashbackPerOrder: cap }[field] ?? fieldLabel(field);
}

type Say = (values: Told['values'], says: object) => string;

/** What the service warns of, for a shop owner. Where we have no words, its own are kept. */
export function warningInWords({ text, told }: Sentence): string {
  const known: Partial<Record<string, Say>> = words.warnings as never;
  const say = told && known[told.problem];
  if (!say) return text;
  const said = say(told.values, { ...ofStore(), label });
  return told.values.variant === undefined ? said : `${String(told.values.variant)}: ${said}`;
}
