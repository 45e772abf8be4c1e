/** @jsxImportSource preact */
/** The checkout form in a page of the dashboard: the same components, with the shop's own styles. */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, Shop } from '../api';
import { major, useCurrencyOf } from '../money';
import { Labelled, Row, Tick } from '../parts';
import { loadWords, words } from '../words';
import pagesStyles from '../pages.css?inline';
import shopStyles from '../shop.css?inline';
import { type Answers, formOf } from './form';
import { FormFields } from './form-fields';

const FRAME = `:host {
  display: block;
  padding: 16px 0 4px;
  border-radius: 14px;
  background: var(--tg-secondary-bg-color);
  color: var(--tg-text-color);
  overflow-wrap: anywhere;
}`;

interface Previewed extends Pick<Shop, 'currency' | 'digits'> {
  fields: readonly Field[];
  /** The label of the sum that the answers add to the price. */
  priceLabel: string;
}

/**
 * Draws the form into an element, which keeps its styles apart from the page's.
 * @param language that of the page
 * @returns what draws it again; null takes it away
 */
export async function previewIn(host: HTMLElement, language: string) {
  await loadWords(language).catch(() => undefined);
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const styles = new CSSStyleSheet();
  styles.replaceSync(shopStyles + pagesStyles + FRAME);
  root.adoptedStyleSheets = [styles];
  let show: (shown: Previewed) => void;
  // Rendered once: ids of another rendering would begin anew, and be those of fields that are there.
  function Shown() {
    const [shown, setShown] = useState<Previewed | null>(null);
    show = setShown;
    return shown && <Preview {...shown} />;
  }
  render(<Shown />, root);
  return (shown: Previewed | null) => {
    if (!shown) return render(null, root);
    useCurrencyOf(shown);
    show(shown);
  };
}

function Preview({ fields, priceLabel }: Previewed) {
  const [answers, setAnswers] = useState<Answers>({});
  const [given, setGiven] = useState({ promocode: '', bonusToSpend: 0 });
  const form = formOf(fields, answers, given);
  const change = form.adjustments.reduce(
    (sum, { operator, value }) => sum + (operator === 'add' ? value : -value),
    0,
  );
  const apart = ({ type }: Field, label: string) => {
    if (type === 'bonus_toggle')
      return (
        <Tick
          label={label}
          isTicked={given.bonusToSpend > 0}
          onChange={(isOn) => setGiven({ ...given, bonusToSpend: isOn ? 1 : 0 })}
        />
      );
    if (type === 'promocode_input')
      return (
        <Labelled
          label={label}
          control={(tied) => (
            <input
              {...tied}
              value={given.promocode}
              onInput={({ currentTarget }) => setGiven({ ...given, promocode: currentTarget.value })}
            />
          )}
        />
      );
    return (
      <section class="rows">
        <Row title={words.payment} after={label} />
      </section>
    );
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <FormFields
        form={form}
        answers={answers}
        answer={(id, value) => setAnswers((all) => ({ ...all, [id]: value }))}
        apart={apart}
      />
      {change !== 0 && (
        <section class="rows" role="status">
          <Row isStrong title={priceLabel} after={major(change)} />
        </section>
      )}
    </form>
  );
}
