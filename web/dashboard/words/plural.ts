type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/**
 * `plurals('en')(2, { one: '# order', other: '# orders' })` is "2 orders"; `#` is the number as the language
 * writes it.
 */
export function plurals(language: string) {
  // Created with the first text that counts something: it makes the browser load the rules of a language,
  // which would delay the first page.
  let rules: Intl.PluralRules | undefined;
  let number: Intl.NumberFormat | undefined;
  return (count: number, forms: Forms): string => {
    rules ??= new Intl.PluralRules(language);
    number ??= new Intl.NumberFormat(language);
    return (forms[rules.select(count)] ?? forms.other).replace('#', number.format(count));
  };
}
