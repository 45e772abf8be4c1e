import { useRef, useState } from 'preact/hooks';
import type { Shop } from '../api';
import { Chip } from '../parts';
import { cell, useCell } from '../state';
import { words } from '../words';

const TYPING_MS = 300;

export interface Wanted {
  text: string;
  category: string;
  subCategory: string;
  brand: string;
  onSale: boolean;
}

/** Kept while other pages are open, so that a shopper comes back to where they were. */
export const wanted = cell<Wanted>({ text: '', category: '', subCategory: '', brand: '', onSale: false });
/** Whether something on sale was seen. */
export const hasSale = cell(false);

type FilterKind = Shop['checkout']['filters'][number]['id'];

/** The filters as the shop has set them; a shop that has set none has one of its categories. */
function filtersOf({ checkout }: Shop) {
  if (checkout.filters.length === 0)
    return [{ id: 'category' as const, label: words.filters.category, visibilityMode: 'always' }];
  return checkout.filters.filter(({ enabled }) => enabled).sort((a, b) => a.order - b.order);
}

export function Filters({ shop, asked }: { shop: Shop; asked: Wanted }) {
  const set = (change: Partial<Wanted>) => wanted.set({ ...wanted.get(), ...change });
  const below = (parentId: string | null) => shop.categories.filter((one) => one.parentId === parentId);
  const kinds: Record<
    FilterKind,
    [choices: { id: string; name: string }[], value: string, key: keyof Wanted]
  > = {
    category: [below(null), asked.category, 'category'],
    sub_category: [asked.category ? below(asked.category) : [], asked.subCategory, 'subCategory'],
    brand: [shop.brands, asked.brand, 'brand'],
  };
  let parent = 'shown';
  return (
    <>
      <SearchField suggested={keywordsOf(shop)} onText={(text) => set({ text })} />
      {filtersOf(shop).map(({ id, label, visibilityMode }) => {
        const [choices, value, key] = kinds[id];
        const isShown = visibilityMode === 'always' || parent !== '';
        parent = value;
        if (!isShown || choices.length === 0) return null;
        const choose = (next: string) => set({ [key]: next, ...(key === 'category' && { subCategory: '' }) });
        return (
          <Chips
            key={id}
            label={label || words.filters[id]}
            choices={choices}
            value={value}
            onChoose={choose}
          />
        );
      })}
      {(useCell(hasSale) || asked.onSale) && (
        <div class="chips">
          <Chip isChosen={asked.onSale} onPress={() => set({ onSale: !asked.onSale })}>
            {words.sale}
          </Chip>
        </div>
      )}
    </>
  );
}

function Chips({
  label,
  choices,
  value,
  onChoose,
}: {
  label: string;
  choices: { id: string; name: string }[];
  value: string;
  onChoose: (id: string) => void;
}) {
  return (
    <div class="chips" role="group" aria-label={label}>
      {[{ id: '', name: words.all }, ...choices].map(({ id, name }) => (
        <Chip key={id} isChosen={id === value} onPress={() => onChoose(id)}>
          {name}
        </Chip>
      ))}
    </div>
  );
}

/** How many of the shop's keywords are suggested under the empty search field. */
const MOST_KEYWORDS = 8;
const keywordsOf = ({ settings }: Shop) =>
  (settings.keywords ?? '')
    .split(/[,\n]/)
    .flatMap((word) => word.trim() || [])
    .slice(0, MOST_KEYWORDS);

function SearchField({ suggested, onText }: { suggested: string[]; onText: (text: string) => void }) {
  const [text, setText] = useState(wanted.get().text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onText(next), TYPING_MS);
  };
  return (
    <>
      <div class="search" role="search">
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={text}
          maxLength={200}
          enterKeyHint="search"
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </div>
      {text === '' && suggested.length > 0 && (
        <div class="chips" role="group" aria-label={words.suggestions}>
          {suggested.map((word) => (
            <button key={word} type="button" class="chip" onClick={() => type(word)}>
              {word}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
