import { useEffect, useState } from 'preact/hooks';
import { home, type Me, type Shop } from '../api';
import { attempt } from '../client';
import type { Answers } from './form';

const DRAFT = `checkout:${home}`;

/** The answers, which stay while the shopper looks at other pages, or the client loads the page again. */
export function useAnswers(shop: Shop, me: Me | undefined) {
  const [answers, setAnswers] = useState<Answers>(
    () => attempt(() => JSON.parse(sessionStorage.getItem(DRAFT) ?? '{}') as Answers) ?? {},
  );
  useEffect(() => {
    attempt(() => sessionStorage.setItem(DRAFT, JSON.stringify(answers)));
  }, [answers]);
  useEffect(() => {
    if (!me?.username) return;
    const own = shop.checkout.fields.filter(({ messengerDataKey }) => messengerDataKey === 'username');
    setAnswers((given) => ({
      ...Object.fromEntries(own.map(({ id }) => [id, `@${me.username}`])),
      ...given,
    }));
  }, [me?.username]);
  const answer = (id: string, value: string) => setAnswers((given) => ({ ...given, [id]: value }));
  return { answers, answer };
}

export const forgetAnswers = () => attempt(() => sessionStorage.removeItem(DRAFT));
