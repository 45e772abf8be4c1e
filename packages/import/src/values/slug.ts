const CYRILLIC: Record<string, string> = {
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'h',
    ґ: 'g',
    д: 'd',
    е: 'e',
    є: 'ie',
    ж: 'zh',
    з: 'z',
    и: 'y',
    і: 'i',
    ї: 'i',
    й: 'i',
    к: 'k',
  },
  ...{
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'kh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'shch',
  },
  ...{ ь: '', ъ: '', ю: 'iu', я: 'ia', ы: 'y', э: 'e', ё: 'e' },
};

/** Converts a name to a slug: "Café «Львів»" becomes cafe-lviv. Empty if no character can be converted. */
export function slugOf(name: string): string {
  const latin = [...name.toLowerCase()].map((letter) => CYRILLIC[letter] ?? letter).join('');
  return latin
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200);
}
