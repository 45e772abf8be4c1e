import { DAY, HOUR } from './past.js';
import type { Random } from './random.js';

/** A shopper of the demo store. Times are milliseconds since 1970. */
export interface DemoCustomer {
  id: string;
  firstName: string;
  lastName: string | null;
  username: string | null;
  phone: string;
  joinedAt: number;
  /** How often they order, relative to the others. */
  weight: number;
  referrer: DemoCustomer | null;
  isBanned: boolean;
  isBotBlocked: boolean;
}

/** First name, last name and username, or a dash if the person has none. */
const NAMES = `
Olena Kovalenko olena_k|Marco Rossi marco|Aisha - aisha.designs|Андрій Шевченко andrii_sh
Sofía García sofia.g|山田 花子 hanako|Jürgen Müller jmueller|مريم الحسيني maryam|Anaïs Lefèvre anais
Κώστας Παπαδόπουλος kostas_p|Noa כהן noa_k|김 서연 seoyeon|Lars Sørensen lars|Zoë van_den_Berg zoe_vdb
প্রিয়া সেন priya_sen|李 伟 liwei|Amara Okafor amara|Тетяна Бондар tania.b|Paweł Wiśniewski pawelw
Chloé - chloe|राहुल शर्मा rahul|Ngọc Trần ngoc_tran|Fatma Yılmaz fatma|Иван Петров ivan_p
Emily Clark emclark|Björk Jónsdóttir bjork|สมชาย ใจดี somchai|João Silva joao.silva
Ioana Popescu ioana|Giorgi ბერიძე giorgi|Hannah Schmidt hannah_s|Mateo Fernández -
Юлія Мельник yuliia|Tomáš Novák tomas_n|Ayşe - ayse|Daniel Kim dkim|Freya Nilsson freya
Արամ Սարգսյան aram|Léa Martin lea_m|Owen Hughes -`;

/** The ids of the first customers. One is beyond 2^53, as messenger ids may be. */
const FIRST_IDS = ['9007199254740993', '412345678', '512345679'];
/** The first of them, who has ordered most and has bonus: a newcomer sees the shop as this one. */
export const DEMO_SHOPPER = { id: FIRST_IDS[0], firstName: 'Olena', username: 'olena_k' };
/** Referrals: the index of the new customer and that of the referrer. */
const REFERRALS: readonly (readonly [number, number])[] = [
  [8, 0],
  [11, 0],
  [14, 3],
  [19, 6],
  [22, 0],
  [27, 6],
  [31, 14],
];
const BANNED = 12;
const BOT_BLOCKED = [20, 29];
/** The newest customers have ordered nothing. */
const ONLOOKERS = 3;
const FIRST_JOINED = 96 * DAY;
const EVERY = 2.4 * DAY;

/** Creates forty shoppers, in the order in which they came. */
export function demoCustomers(random: Random, now: number): DemoCustomer[] {
  const names = NAMES.trim().split(/[|\n]/);
  const customers = names.map((name, i): DemoCustomer => {
    const [firstName, lastName, username] = name
      .split(' ')
      .map((part) => (part === '-' ? null : part.replaceAll('_', ' ')));
    return {
      id: FIRST_IDS[i] ?? String(random.integer(600_000_000, 7_900_000_000)),
      firstName: firstName!,
      lastName,
      username: username && username.replaceAll(' ', '_'),
      phone: `+1555${String(random.integer(0, 9_999_999)).padStart(7, '0')}`,
      joinedAt: Math.round(now - FIRST_JOINED + i * EVERY + random.between(0, 20 * HOUR)),
      weight: i >= names.length - ONLOOKERS ? 0 : i % 7 === 0 ? 6 : random.integer(1, 3),
      referrer: null,
      isBanned: i === BANNED,
      isBotBlocked: BOT_BLOCKED.includes(i),
    };
  });
  for (const [newcomer, referrer] of REFERRALS) customers[newcomer].referrer = customers[referrer];
  return customers;
}
