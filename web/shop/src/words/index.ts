import { launch } from '../client';
import { en, type Words } from './en';

/** Another language is another file here that exports its words under its name. */
const FILES = import.meta.glob<Record<string, Words>>(['./*.ts', '!./index.ts', '!./en.ts']);

const asked = (launch.user.language_code || navigator.language).slice(0, 2).toLowerCase();
const file = FILES[`./${asked}.ts`] as (() => Promise<Record<string, Words>>) | undefined;
export const language = file ? asked : 'en';
export let words: Words = en;

export async function loadWords(): Promise<void> {
  document.documentElement.lang = language;
  if (file) words = (await file())[asked];
}
