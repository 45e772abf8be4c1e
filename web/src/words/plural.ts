type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** `plurals('en')(2, { one: '# order', other: '# orders' })` is "2 orders"; `#` is the number as the language writes it. */
export function plurals(language: string) {
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (count: number, forms: Forms): string => (forms[rules.select(count)] ?? forms.other).replace('#', number.format(count));
}
