/** The languages of notices, which are those of the pages. */
export const LANGUAGES = ['en', 'uk'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What notices say. */
export const WORDS: Record<Language, Words> = {
  en: {
    placed: (id) => `New order ${id}`,
    placedMany: (count) => `${count} new orders`,
    more: (count) => `and ${count} more`,
    approval: 'An app waits for you',
    linked: (store) => `You will be told of new orders of ${store} here. Write /stop to end it.`,
    linkEnded: 'This link does not work any more. Get a new one on the page of notices.',
    stopped: 'You will be told of new orders here no more.',
  },
  uk: {
    placed: (id) => `Нове замовлення ${id}`,
    placedMany: (count) => `Нових замовлень: ${count}`,
    more: (count) => `і ще ${count}`,
    approval: 'Застосунок чекає на вас',
    linked: (store) => `Тут вас сповіщатимуть про нові замовлення: ${store}. Щоб припинити, напишіть /stop.`,
    linkEnded: 'Це посилання більше не діє. Отримайте нове на сторінці сповіщень.',
    stopped: 'Тут вас більше не сповіщатимуть про нові замовлення.',
  },
};

interface Words {
  placed: (id: number) => string;
  placedMany: (count: number) => string;
  more: (count: number) => string;
  /** An app waits for a person to approve what it wants to do. */
  approval: string;
  linked: (store: string) => string;
  linkEnded: string;
  stopped: string;
}
