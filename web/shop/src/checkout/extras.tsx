import { useState } from 'preact/hooks';
import type { Shop } from '../api';
import { major, minor, step, toMajor, toMinor } from '../money';
import { Chip, Labelled, Tick } from '../parts';
import { language, words } from '../words';
import type { Method } from './methods';

/** A promocode counts once it is applied, or left. */
export function Promocode({
  label,
  problem,
  onApply,
}: {
  label: string;
  problem: string | undefined;
  onApply: (code: string) => void;
}) {
  const [text, setText] = useState('');
  const apply = () => onApply(text.trim());
  return (
    <Labelled
      label={label}
      problem={problem}
      control={(tied) => (
        <span class="with-button">
          <input
            {...tied}
            value={text}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="characters"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onChange={apply}
            onKeyDown={({ key }) => key === 'Enter' && apply()}
          />
          <button type="button" class="plain" onClick={apply}>
            {words.apply}
          </button>
        </span>
      )}
    />
  );
}

/** @param reason why it cannot be used; it stays to be seen then */
export function BonusSwitch({
  label,
  most,
  isOn,
  reason,
  onChange,
}: {
  label: string;
  most: number;
  isOn: boolean;
  reason: string | undefined;
  onChange: (isOn: boolean) => void;
}) {
  if (most <= 0 && !isOn && !reason) return null;
  const hint = most > 0 ? words.payWithBonus(major(most)) : undefined;
  return <Tick label={label} hint={reason ?? hint} isTicked={isOn} onChange={onChange} />;
}

/** In the messenger's own mode its invoice asks for a tip, so the shop does not. */
export function Tip({
  shop,
  value,
  problem,
  onChange,
}: {
  shop: Shop;
  value: number;
  problem: string | undefined;
  onChange: (value: number) => void;
}) {
  const { maxTipAmount, suggestedTipAmounts } = shop.invoiceFields;
  if (maxTipAmount === null || shop.checkout.mode === 'native_payments') return null;
  return (
    <>
      <Labelled
        label={words.tip}
        problem={problem}
        control={(tied) => (
          <input
            {...tied}
            type="number"
            inputMode="decimal"
            min={0}
            max={toMajor(maxTipAmount)}
            step={step()}
            value={value === 0 ? '' : toMajor(value)}
            onInput={({ currentTarget }) => onChange(Math.max(0, toMinor(currentTarget.valueAsNumber || 0)))}
          />
        )}
      />
      <div class="chips">
        {[0, ...suggestedTipAmounts].map((amount) => (
          <Chip key={amount} isChosen={amount === value} onPress={() => onChange(amount)}>
            {amount === 0 ? words.noTip : minor(amount)}
          </Chip>
        ))}
      </div>
    </>
  );
}

export function Methods({
  label,
  methods,
  chosen,
  onChoose,
}: {
  label?: string;
  methods: Method[];
  chosen: Method | undefined;
  onChoose: (name: string) => void;
}) {
  if (methods.length === 0 || (methods.length === 1 && methods[0].label === '')) return null;
  return (
    <fieldset class="rows">
      <legend dir="auto">{label || words.payment}</legend>
      {methods.map(({ name, label, isTest }) => (
        <label key={name} class="row">
          <input
            type="radio"
            name="payment"
            checked={name === chosen?.name}
            onChange={() => onChoose(name)}
          />
          <span dir="auto">{isTest ? `${label} (${words.test})` : label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** What happens after the order: the messenger asks for more, or the shop writes. */
export function NextSteps({ shop, method }: { shop: Shop; method: Method | undefined }) {
  if (!method) return null;
  if (method.kind === 'agreement') return method.label === '' ? <p class="info">{words.agreement}</p> : null;
  const asked = (Object.keys(words.asked) as (keyof typeof words.asked)[]).filter(
    (name) => shop.invoiceFields[name],
  );
  if (asked.length === 0) return null;
  const what = new Intl.ListFormat(language).format(asked.map((name) => words.asked[name]));
  return <p class="info">{words.asksWhenPaying(what)}</p>;
}
