import { failureOf } from '../../../../src/webhooks/delivery/attempts/failures';
import { words } from '../../words/all';

/** Why a delivery failed, in the reader's language. Where we have no words, the service's text is kept. */
export function failureInWords(text: string): string {
  const told = failureOf(text);
  return told ? words.webhooks.failures[told.failure].replace('#', told.value) : text;
}
