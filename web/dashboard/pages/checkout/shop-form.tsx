import { useEffect, useRef } from 'react';
import { previewIn } from '../../../shop/src/checkout/preview';
import { useStore } from '../../api/store';
import { language } from '../../words';
import { words } from '../../words/all';
import type { Field } from './checkout';

/** The shop's own form, which Preact draws into an element of this page. */
export function ShopForm({ fields }: { fields: Field[] }) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<ReturnType<typeof previewIn>>(undefined);
  const { currency, currencyDecimals: digits } = useStore();
  useEffect(() => {
    drawn.current ??= previewIn(host.current!, language);
    void drawn.current.then((draw) =>
      draw({ fields, currency, digits, priceLabel: words.checkout.priceChanges }),
    );
  });
  useEffect(() => () => void drawn.current?.then((draw) => draw(null)), []);
  return <div ref={host} />;
}
