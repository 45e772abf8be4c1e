import type { Money } from '../words/problems-on-pages';

/** How the open store's amounts are written. The router sets it with the store. */
let money: Money = { minor: String, major: String };
export const setCurrency = (ofStore: Money) => void (money = ofStore);

/** The same for words, which are loaded by themselves and therefore import nothing of the pages. */
export const ofStore = (): Money => money;
