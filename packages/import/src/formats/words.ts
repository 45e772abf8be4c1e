const words = (text: string) => new Set(text.split(' '));

/** Yes, as programs and people write it in English, Ukrainian, Russian, Polish and German. */
export const YES = words(
  'true yes y 1 on так істина да истина tak prawda ja wahr j x + active aktiv visible ' +
    'published enabled активний активен опубліковано опубликовано aktywny widoczny sichtbar ' +
    'veröffentlicht',
);
/** No. Drafts and archived products are not for shoppers. */
export const NO = words(
  'false no n 0 -1 off ні хибність нет ложь nie fałsz nein falsch - draft archived inactive ' +
    'hidden disabled unlisted unavailable private неактивний неактивен чернетка черновик szkic ' +
    'ukryty inaktiv versteckt entwurf',
);

/** Stock that is there, but not counted. */
export const IN_STOCK = words(
  'instock available є так есть да в_наявності в_наличии tak dostępny dostępne vorrätig ja ' +
    'verfügbar in_stock + yes',
);
/** Nothing is left. */
export const OUT_OF_STOCK = words(
  'outofstock out_of_stock unavailable немає нема нет ні brak niedostępny nein ausverkauft ' +
    'nicht_vorrätig нет_в_наличии немає_в_наявності no -',
);

/** Kinds of rows: a product, a variant of one, and what is not sold as products here are. */
export const ROW_TYPES: Record<'product' | 'variant' | 'picture' | 'other', Set<string>> = {
  product: words('product simple variable simple,virtual simple,downloadable external товар produkt'),
  variant: words(
    'variant variation variation,virtual variation,downloadable варіант вариант wariant variante',
  ),
  picture: words('media'),
  other: words('grouped category'),
};

/** What a shop writes where a product has no options. */
export const NO_VARIANT = words('default_title');
/** Square's word for the only variation of an item. */
export const ONLY_VARIATION = words('regular standard стандарт standardowy');

/** A cell as the lists above have it. */
export const plainWord = (text: string) => text.trim().toLowerCase().replace(/\s+/g, '_');

/** Signs and short forms of currencies beside amounts. A sign that several have names none. */
export const CURRENCIES: Record<string, string> = {
  ...{ '€': 'EUR', '£': 'GBP', '₴': 'UAH', грн: 'UAH', '₽': 'RUB', руб: 'RUB', р: 'RUB', zł: 'PLN' },
  ...{ '₸': 'KZT', '₺': 'TRY', '₾': 'GEL', '₪': 'ILS', '₹': 'INR', '₩': 'KRW', '₫': 'VND', kč: 'CZK' },
  ...{ ft: 'HUF', lei: 'RON', 'грн.': 'UAH', 'руб.': 'RUB', 'р.': 'RUB', us$: 'USD', a$: 'AUD' },
  ...{ c$: 'CAD', r$: 'BRL', chf: 'CHF', тг: 'KZT' },
};
/** Signs that several currencies have. */
export const SHARED_SIGNS = ['$', '¥', 'kr', 'kr.', '¤'];
