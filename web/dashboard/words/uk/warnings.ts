import type { WarningWords } from '../en/warnings';
import { plurals } from '../plural';

const n = plurals('uk');
const PRODUCTS = { one: '# товар', few: '# товари', other: '# товарів' };

export const noToken = (name: string) =>
  `${name} не має токена, тож через нього не оплатити жодного замовлення.`;

export const warnings: WarningWords = {
  more: ({ count }) => `і ще ${count}`,
  cleared: ({ fields }, { label }) => `Спорожнено: ${fields.map(label).join(', ')}.`,
  blank: ({ field }, { label }) => `${label(field)}: тут самі пробіли.`,
  finer: ({ field, counted }, { label, major }) =>
    `${label(field)}: сума дрібніша за валюту; діє ${major(counted)}.`,

  // The catalog.
  sale_not_below: ({ sale, price }, { major }) =>
    `Ціна зі знижкою ${major(sale)} не нижча за ціну ${major(price)}: покупці платять ${major(sale)}.`,
  price_jump: ({ before, after }, { major }) =>
    `Покупці платили ${major(before)}, а тепер платитимуть ${major(after)}. Так і треба?`,
  free: () => 'Покупці отримають це безплатно. Так і треба?',
  options: ({ count }) => `Покупці обирають одне значення з усіх ${count} опцій разом.`,
  no_effect: ({ fields }, { label }) =>
    `Покупці купують варіанти, тож для них це нічого не змінює: ${fields.map(label).join(', ')}.`,
  unseen: ({ category, below }) =>
    below === undefined
      ? `Покупці цього не бачать: категорія ${category} не активна.`
      : `Покупці цього не бачать: ${category} нижче від ${below}, а та не активна.`,
  text_alone: ({ text }) => `«${text}» — лише текст. Щоб покласти товар туди, оберіть зі списку.`,
  still_says: ({ text, shown }) => `У тексті досі «${text}», а покупці бачать «${shown}».`,
  off_sale: ({ count }) => `Покупці більше не бачитимуть: ${n(count, PRODUCTS)}.`,
  on_sale: ({ count }) => `Покупці знову бачитимуть: ${n(count, PRODUCTS)}.`,

  // Orders and customers.
  blank_note: () => 'Нотатка нічого не каже.',
  refund_above: ({ total }, { minor }) => `Сума більша за вартість замовлення, ${minor(total)}.`,
  refund_below: ({ total }, { minor }) =>
    `Це менше за суму ${minor(total)}, але скасовується все замовлення. Щоб решта лишилася, поверніть йому статус.`,
  refunded_before: () => 'За це замовлення вже записано повернення.',
  large_credit: ({ delta, spent }, { major }) =>
    `${major(delta)} – це більш ніж удесятеро понад усе, що покупець витратив (${major(spent)}). Так і треба?`,
  settled: ({ settled, owed }, { major }) =>
    `${major(settled)} з цієї суми погасили борг покупця; лишилося боргу: ${major(owed)}.`,

  // Marketing.
  expired: () => 'Строк дії коду минув: ним ніхто не скористається.',
  endless: () =>
    'Код дає знижку 100 % без строку дії і без межі використань: ним може користуватися будь-хто і скільки ' +
    'завгодно.',
  contest_over: () => 'Цей конкурс уже закінчився.',
  markup: ({ markup }) => `Покупці побачать ${markup} так, як тут написано.`,
  no_button: () => 'Кнопці потрібні текст і адреса. Це повідомлення піде без неї.',
  no_trigger: () => 'Кешбек не нараховується, доки не вибрано стан, за який його дають.',
  no_level: ({ place }) =>
    `Рівень ${place}: найменша кількість замовлень більша за найбільшу, тож на ньому не буде нікого.`,
  no_promotion: ({ place }) => `Акція ${place} кінчається раніше, ніж починається, тож ніколи не діє.`,
  no_category: ({ key }) => `Жодна категорія не зветься «${key}»: ця ставка нічого не нараховує.`,
  uncapped: ({ rate }) => `${rate}% замовлення повертається без обмеження. Так і треба?`,
  above_average: ({ field, amount, average }, { label, major }) =>
    `${label(field)}: ${major(amount)} — більше за середнє замовлення останніх 90 днів, ${major(average)}. ` +
    'Так і треба?',

  // The form of the checkout, and paying.
  removed: ({ ids }) => `Прибрано: ${ids}.`,
  same_id: ({ place }) => `Поле ${place} має такий самий код, як інше; діє перше з них.`,
  no_field: ({ place }) => `Поле ${place} має умову щодо поля, якого немає; воно вважається порожнім.`,
  never_holds: ({ place }) =>
    `Поле ${place} має умову, яка ніколи не справдиться: поле, на яке вона дивиться, такої відповіді не приймає.`,
  contradiction: ({ place }) => `Поле ${place} має умову, знак якої суперечить дії; вирішує дія.`,
  no_adjustment: ({ place }) =>
    `Поле ${place} має умову, що змінює ціну, без суми, тож вона нічого не робить.`,
  negative: ({ place, counted }, { major }) =>
    `Поле ${place} має умову з від’ємною сумою; вирішує дія, а діє сума ${major(counted)}.`,
  finer_change: ({ place, counted }, { major }) =>
    `Поле ${place} має умову із сумою, дрібнішою за валюту; діє сума ${major(counted)}.`,
  above_tip: ({ amount }, { minor }) =>
    `${minor(amount)} – більше за найбільші чайові, тож цю суму не пропонуватимуть.`,
  unpayable: ({ currency }) =>
    `Жоден увімкнений провайдер не приймає ${currency}, тож замовлення не можна оплатити.`,
  lacks_currency: ({ name, currency }) =>
    `${name} не приймає ${currency}, тож замовлення цього магазину через нього не оплатити.`,
  no_currencies: ({ codes }) => `${codes}: це не валюта.`,
  no_token: ({ name }) => noToken(name),
  namesake: ({ name }) => `Так само зветься інший робочий провайдер (${name}): платитимуть новішому.`,
};
