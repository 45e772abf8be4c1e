import { useEffect, useState } from 'preact/hooks';
import { get, type Me, type Shop } from '../api';
import { cart } from '../cart';
import { useAnswers } from '../checkout/draft';
import { BonusSwitch, Methods, NextSteps, Promocode, Tip } from '../checkout/extras';
import { formOf } from '../checkout/form';
import { FormFields } from '../checkout/form-fields';
import { methodsOf } from '../checkout/methods';
import { usePlacing } from '../checkout/place';
import { itemsOf, lineOfRefusal, useQuote } from '../checkout/quote';
import { Sum } from '../checkout/sum';
import { confirmClosing, vibrate } from '../client';
import { said } from '../failure';
import { minor } from '../money';
import { useCell, useLoaded } from '../state';
import { BackAction, MainAction } from '../ui';
import { words } from '../words';
import { EmptyCart } from './cart-page';

export function Checkout({ shop }: { shop: Shop }) {
  const isEmpty = useCell(cart).length === 0;
  useEffect(() => {
    confirmClosing(true);
    return () => confirmClosing(false);
  }, []);
  return isEmpty ? <EmptyCart /> : <Form shop={shop} />;
}

function useOrder(shop: Shop) {
  const lines = useCell(cart);
  const { data: me } = useLoaded('me', () => get<Me>('me'));
  const { answers, answer } = useAnswers(shop, me);
  const [promocode, setPromocode] = useState('');
  const [isBonus, setBonus] = useState(false);
  const [most, setMost] = useState(0);
  const [tip, setTip] = useState(0);
  const [chosen, setChosen] = useState('');
  const bonusToSpend = isBonus ? most : 0;
  const form = formOf(shop.checkout.fields, answers, { promocode, bonusToSpend });
  const methods = methodsOf(shop, form.visible);
  const method = methods.find(({ name }) => name === chosen) ?? methods[0];
  const terms = {
    paymentMethod: method?.name ?? '',
    ...(promocode && { promocode }),
    ...(bonusToSpend > 0 && { bonusToSpend }),
    ...(tip > 0 && { tipAmount: tip }),
  };
  const quoted = useQuote(lines, { ...terms, checkoutData: form.readable }, JSON.stringify(form.adjustments));
  const { quote, refusal } = quoted;
  useEffect(() => {
    if (refusal?.problem === 'bonus_too_much') setMost(Number(refusal.values.most));
    else if (quote && !refusal) setMost(quote.mostBonus);
  }, [quote, refusal]);
  return {
    ...{ form, methods, method, terms, quoted, answers, answer, promocode, setPromocode, tip, setTip },
    ...{ isBonus, setBonus, most, setChosen, lines, me },
  };
}

/** The refusal of a quote that a field shows itself. */
const FIELD_OF: Record<string, 'promocode' | 'bonus' | 'tip'> = {
  promocode_unknown: 'promocode',
  promocode_inactive: 'promocode',
  promocode_expired: 'promocode',
  promocode_used_up: 'promocode',
  promocode_not_asked: 'promocode',
  promocode_or_bonus: 'bonus',
  bonus_too_much: 'bonus',
  bonus_not_asked: 'bonus',
  tip_too_much: 'tip',
};

function Form({ shop }: { shop: Shop }) {
  const order = useOrder(shop);
  const { form, method, quoted } = order;
  const { quote, isNow } = quoted;
  const [isTried, setTried] = useState(false);
  const { place, isBusy, refusal: refused } = usePlacing(quoted.again);
  const refusal = refused ?? quoted.refusal;
  const at = refusal ? FIELD_OF[refusal.problem] : undefined;
  const problemAt = (field: string) => (refusal && at === field ? said(refusal) : undefined);
  const isNative = shop.checkout.mode === 'native_payments' && method?.kind === 'invoice';
  const press = () => {
    setTried(true);
    if (!form.isWhole) {
      vibrate('error');
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    if (!quote || !isNow || quoted.refusal) return;
    const items = itemsOf(order.lines);
    void place({ ...order.terms, items, checkoutData: form.rows, expectedTotal: quote.total });
  };
  const sum = quote ? minor(quote.total) : '';
  const text = isNative ? words.pay(sum) : words.place(sum);
  return (
    <>
      <BackAction />
      <main class="checkout">
        <h1>{words.checkout}</h1>
        <Fields shop={shop} order={order} isTried={isTried} problemAt={problemAt} />
        {!placeOfMethods(form) && <Ways order={order} />}
        <Tip shop={shop} value={order.tip} problem={problemAt('tip')} onChange={order.setTip} />
        {quote && <Sum of={quote} />}
        <NextSteps shop={shop} method={method} />
        {refusal && !at && (
          <p class="problem" role="alert">
            {messageOf(refusal, order)}
          </p>
        )}
      </main>
      <MainAction text={text} isBusy={isBusy} isActive={quote !== null && isNow} onPress={press} />
    </>
  );
}

function messageOf(
  refusal: NonNullable<ReturnType<typeof useQuote>['refusal']>,
  { lines, quoted }: Order,
): string {
  if (refusal.problem === 'unreachable') return words.noAnswer;
  if (refusal.problem === 'price_changed' && quoted.quote)
    return words.priceChanged(minor(Number(refusal.values.total)));
  const line = lines[lineOfRefusal(refusal) ?? -1];
  return line ? `${line.title}: ${said(refusal)}` : said(refusal);
}

type Order = ReturnType<typeof useOrder>;

/** The ways to pay stand where the form has its first payment_button, or below it. */
const placeOfMethods = ({ shown }: Order['form']) => shown.find(({ type }) => type === 'payment_button');
const Ways = ({ order, label }: { order: Order; label?: string }) => (
  <Methods label={label} methods={order.methods} chosen={order.method} onChoose={order.setChosen} />
);

function Fields({
  shop,
  order,
  isTried,
  problemAt,
}: {
  shop: Shop;
  order: Order;
  isTried: boolean;
  problemAt: (field: string) => string | undefined;
}) {
  const { form, answers, answer } = order;
  const { fields } = shop.checkout;
  const hasOwn = (type: string) => fields.some((field) => field.type === type);
  const promocode = (label: string, problem?: string) => (
    <Promocode label={label} problem={problem ?? problemAt('promocode')} onApply={order.setPromocode} />
  );
  const isExcluded = shop.bonus.mutualExclusivityWithPromocode && order.promocode !== '' && order.isBonus;
  const reason = problemAt('bonus') ?? (isExcluded ? words.refusals.promocode_or_bonus : undefined);
  const bonus = (label: string) => (
    <BonusSwitch
      label={label}
      most={order.most}
      isOn={order.isBonus}
      reason={reason}
      onChange={order.setBonus}
    />
  );
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <FormFields
        {...{ form, answers, answer, isTried }}
        apart={(field, label, problem) => {
          if (field.type === 'bonus_toggle') return bonus(label);
          if (field.type === 'promocode_input') return promocode(label, problem);
          return field === placeOfMethods(form) ? <Ways order={order} label={field.label} /> : null;
        }}
      />
      {!hasOwn('promocode_input') && promocode(words.promocode)}
      {!hasOwn('bonus_toggle') && bonus(words.bonus)}
    </form>
  );
}
