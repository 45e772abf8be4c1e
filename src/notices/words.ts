/** The languages of notices, which are those of the pages. */
export const LANGUAGES = ['en', 'uk'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What notices say. */
export const WORDS: Record<Language, Words> = {
  en: {
    placed: (id) => `New order ${id}`,
    placedMany: (count) => `${count} new orders`,
    more: (count) => `and ${count} more`,
    test: 'Test notice',
    testText: 'New orders will be told like this.',
  },
  uk: {
    placed: (id) => `Нове замовлення ${id}`,
    placedMany: (count) => `Нових замовлень: ${count}`,
    more: (count) => `і ще ${count}`,
    test: 'Пробне сповіщення',
    testText: 'Так ви дізнаватиметеся про нові замовлення.',
  },
};

interface Words {
  placed: (id: number) => string;
  placedMany: (count: number) => string;
  more: (count: number) => string;
  test: string;
  testText: string;
}
