import type { Words } from './en';

export const LANGUAGES = { en: 'English', uk: 'Українська' } as const;
export type Language = keyof typeof LANGUAGES;

/** Everything a person reads, in their language. Filled by `loadWords` before anything is drawn. */
export let words: Words;
export let language: Language = 'en';

const KEY = 'language';

/** What was chosen, else the first language of the browser that there is a file for. */
function preferred(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return (wanted.find((tag) => tag !== null && tag in LANGUAGES) as Language | undefined) ?? 'en';
}

export async function loadWords(): Promise<void> {
  language = preferred();
  words = (language === 'uk' ? await import('./uk') : await import('./en')).default;
  document.documentElement.lang = language;
}

/** Texts are read where they are drawn, everywhere: a new language starts the application anew. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  location.reload();
}
