import type { FirstWords } from './en';
import type { AuditNames } from './en/audit';

export const LANGUAGES = { en: 'English', uk: 'Українська' } as const;
export type Language = keyof typeof LANGUAGES;

/**
 * The texts that a person reads first, in their language. `loadWords` fills them before anything is drawn;
 * `loadAllWords` adds all others (all.ts).
 */
export const words = {} as FirstWords;
export let language: Language = 'en';

const KEY = 'language';

/** The chosen language, or else the first of the browser's languages that we have. */
function preferred(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return (wanted.find((tag) => tag !== null && tag in LANGUAGES) as Language | undefined) ?? 'en';
}

export async function loadWords(): Promise<void> {
  language = preferred();
  Object.assign(words, (language === 'uk' ? await import('./uk') : await import('./en')).default);
  document.documentElement.lang = language;
}

/** Whether all texts are there. */
export let hasAllWords = false;

/** Loads the texts that the first pages do without. They need no second loading. */
export async function loadAllWords(): Promise<void> {
  if (hasAllWords) return;
  const rest = language === 'uk' ? await import('./uk/rest') : await import('./en/rest');
  Object.assign(words, rest.default);
  hasAllWords = true;
}

/** The first texts in a language of stores: for what a shopper reads. One that the pages lack is the reader's. */
export async function wordsIn(name: string): Promise<FirstWords> {
  if (name === language) return words;
  if (name === 'uk') return (await import('./uk')).default;
  return name === 'en' ? (await import('./en')).default : words;
}

/** The texts that only the audit has, which would make every first page larger. Its page loads them. */
export let auditNames: AuditNames;

export async function loadAuditNames(): Promise<void> {
  ({ auditNames } = language === 'uk' ? await import('./uk/audit') : await import('./en/audit'));
}

/** Components read the texts while they draw, so a new language requires a reload. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  location.reload();
}
