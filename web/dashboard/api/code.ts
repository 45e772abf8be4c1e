import { loadAllWords, words } from '../words';
import { Refusal } from './refusal';

/** The server has another build than the one that runs here: its files may be gone. */
export class Outdated extends Error {}

/**
 * Fetches code of the application. @throws Outdated, if only the new build has it; Refusal `unreachable`, if
 * there is no connection; another error, if it may be tried again all the same
 */
export async function fetched<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (cause) {
    const answer = await fetch(document.baseURI, { cache: 'no-store' }).catch(() => null);
    if (!answer?.ok) throw new Refusal('unreachable', '');
    const current = await answer.text();
    if (!BUILD.every((file) => current.includes(file))) throw new Outdated(words.refusals.outdated);
    // Another error than the browser's own, for which the router would load the page again.
    throw new Error(words.refusals.page, { cause });
  }
}

/** Fetches code that reads all texts (words/all.ts), and them before it. @throws as `fetched` */
export const fetchedWithWords = <Code>(load: () => Promise<Code>): Promise<Code> =>
  fetched(() => loadAllWords().then(load));

/** The document's scripts. Their names have hashes of their contents, which name all other files. */
const BUILD = [...document.querySelectorAll<HTMLScriptElement>('script[type=module]')].map(({ src }) =>
  src.split('/').at(-1)!,
);
