import { en } from './en.js';
import type { StoreWords } from './store-words.js';
import { uk } from './uk.js';

/** A language of stores is a file of words, named here. */
const WORDS = { en, uk } satisfies Record<string, StoreWords>;

export type StoreLanguage = keyof typeof WORDS;
export const STORE_LANGUAGES = Object.keys(WORDS) as StoreLanguage[];

/** @param language a language of stores; another, from a newer version, is English */
export const storeWords = (language: string): StoreWords =>
  Object.hasOwn(WORDS, language) ? WORDS[language as StoreLanguage] : en;
