import { en, type Words } from './en';

/** Another language is another file here that exports its words under its name. */
const FILES = import.meta.glob<Record<string, Words>>(['./*.ts', '!./index.ts', '!./en.ts']);

export let language = 'en';
export let words: Words = en;

/** @param asked as browsers and the messenger name a language: uk, uk-UA */
export async function loadWords(asked: string): Promise<void> {
  const name = asked.slice(0, 2).toLowerCase();
  const file = FILES[`./${name}.ts`] as (() => Promise<Record<string, Words>>) | undefined;
  [language, words] = file ? [name, (await file())[name]] : ['en', en];
}
