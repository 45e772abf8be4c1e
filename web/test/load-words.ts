import { loadAllWords, loadWords } from '../dashboard/words';

/** Loads the texts as a browser would in which nobody has chosen a language. */
export async function loadTexts(language: string): Promise<void> {
  Object.assign(globalThis, {
    localStorage: { getItem: () => null },
    document: { documentElement: {} },
  });
  Object.defineProperty(globalThis, 'navigator', { value: { languages: [language] }, configurable: true });
  await loadWords();
  await loadAllWords();
}
