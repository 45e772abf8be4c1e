import { words as first } from '.';
import type { FirstWords } from './en';
import type { RestWords } from './en/rest';

/**
 * All texts that a person reads. For code that is fetched with them (`fetchedWithWords`), which is all but what
 * the first pages are made of.
 */
export const words = first as FirstWords & RestWords;
