import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { type Failure, FAILURES, inEnglish } from '../../src/webhooks/delivery/attempts/failures.js';
import { failureInWords } from '../dashboard/api/telling/failure-words';
import { inWords } from '../dashboard/api/telling/in-words';
import { warningInWords } from '../dashboard/api/telling/warning-words';
import { Refusal } from '../dashboard/api/refusal';
import { setCurrency } from '../dashboard/api/amounts';
import { majorMoney, minorMoney } from '../dashboard/parts/values/format';
import { loadTexts } from './load-words';

const SRC = path.resolve(import.meta.dirname, '../../src');
/** Where warnings are made that pages can meet. */
const FOLDERS = [
  'groups',
  'people/accounts',
  'people/members',
  'people/sign-in',
  'stores',
  'notices',
  'webhooks',
];
const OTHERS = ['platform/schema/warnings.ts'];

/** The description of the field with warnings. */
const NOT_ON_PAGES = [/^Input that is allowed/];

/** Texts whose first part, or most of them, comes from elsewhere, as they are said. */
const EXAMPLES: Record<string, string> = {
  '1 1 is not below price 1: shoppers are charged 1':
    'salePrice 9 is not below price 8: shoppers are charged 9',
  '1: shoppers were charged 1 and are now charged 1; prices are in major units':
    'Size: M: price: shoppers were charged 1 and are now charged 10; prices are in major units',
  '1 is 0: shoppers get it free': 'Size: M: price is 0: shoppers get it free',
  'categoryId: category "1" 1: shoppers do not see this product until update_category makes 1 active':
    'categoryId: category "A" is below "B", which is not active: shoppers do not see this product until 1',
  '1 still says "1": shoppers see "1", which 1Id links':
    'brand still says "A": shoppers see "B", which brandId links',
  '1 "1" is a text alone: give 1Id 1 to put the product into the 1 of that name':
    'brand "A" is a text alone: give brandId 1 to put the product into the brand of that name',
  '1 can never hold: 1 is no answer that 1 takes':
    'fields[0].conditions[1] can never hold: "a" is no answer that b takes',
  '1 1 no effect on orders: shoppers buy its variants 1':
    'price, itemAmount have no effect on orders: shoppers buy its variants 1 (M)',
  '1.dependsOn names no field: it counts as empty':
    'fields[0].conditions[1].dependsOn names no field: it counts as empty',
  '1.priceAdjustment.operator contradicts 1: the action decides':
    'fields[0].conditions[1].priceAdjustment.operator contradicts increase_price: the action decides',
  '1.priceAdjustment is missing: 1 does nothing without it':
    'fields[0].conditions[1].priceAdjustment is missing: increase_price does nothing without it',
  '1.priceAdjustment.value is below 0: the action decides, 1 counts':
    'fields[0].conditions[1].priceAdjustment.value is below 0: the action decides, 5 counts',
  '1 has more decimals than count in 1: it counts as 1':
    'cashback.maxCashbackPerOrder has more decimals than count in JPY: it counts as 10',
};

/** The text of an expression; what it is made of elsewhere is 1. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `1${literal.text}`).join('');
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  return ts.isParenthesizedExpression(node) ? textOf(node.expression) : '1';
}

const isText = (node: ts.Node) =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isBinaryExpression(node);
const isSentence = (text: string) => / \S+ /.test(text);

/** Every text of some words in what `find` finds in the file. */
function textsIn(file: string, find: (node: ts.Node) => boolean): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const collect = (node: ts.Node): void => {
    if (isText(node) && isSentence(textOf(node))) texts.push(textOf(node));
    else ts.forEachChild(node, collect);
  };
  const visit = (node: ts.Node): void => (find(node) ? collect(node) : ts.forEachChild(node, visit));
  visit(source);
  return texts;
}

const files = [...FOLDERS, ...OTHERS].flatMap((place) =>
  place.endsWith('.ts')
    ? [path.join(SRC, place)]
    : readdirSync(path.join(SRC, place), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
        .map((name) => path.join(SRC, place, name)),
);

const nameOf = (node: ts.Node) =>
  ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression.getText() : '';
const areOnPages = (text: string) => !NOT_ON_PAGES.some((other) => other.test(text));
const isOfWarnings = (node: ts.Node) =>
  nameOf(node) === 'withWarnings' ||
  ((ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) &&
    /warn|^jump$|^problems$/i.test(node.name?.getText() ?? ''));
const warnings = files
  .filter((file) => /[wW]arning/.test(readFileSync(file, 'utf8')))
  .flatMap((file) => textsIn(file, isOfWarnings));

const UKRAINIAN = /[а-яіїєґ]/;

describe('the sentences of the service', () => {
  beforeAll(() => loadTexts('uk'));

  it.each(warnings.filter(areOnPages))('have words: the warning %s', (text) =>
    expect(warningInWords(EXAMPLES[text] ?? text)).toMatch(UKRAINIAN),
  );

  it('have words: why a delivery failed', () => {
    for (const failure of Object.keys(FAILURES) as Failure[]) {
      const said = failureInWords(inEnglish(failure, 302));
      expect(said).toMatch(UKRAINIAN);
      expect(said.includes('302')).toBe(FAILURES[failure].includes('#') && failure !== 'late');
    }
    expect(failureInWords('HTTP 503')).toBe('HTTP 503');
  });

  it('say amounts as money of the store', () => {
    const store = { currency: 'USD', currencyDecimals: 2 };
    setCurrency({
      minor: (amount) => minorMoney(amount, store),
      major: (amount) => majorMoney(amount, store),
    });
    expect(warningInWords("amount is above the order's total, 3390")).toContain('33,90');
    expect(
      warningInWords(
        'price: shoppers were charged 1200.5 and are now charged 0.1; prices are in major units',
      ),
    ).toMatch(/платили 1\s200,50.*платитимуть 0,10/);
    expect(warningInWords('salePrice 5 is not below price 0.1: shoppers are charged 5')).toMatch(
      /5,00.* не нижча за ціну 0,10/,
    );
    expect(
      warningInWords(
        'fields[1].priceAdjustment.value has more decimals than count in USD: it counts as 4.99',
      ),
    ).toMatch(/^Поле 2 .*4,99/);
    expect(
      warningInWords('suggestedTipAmounts holds 500, which is above maxTipAmount: it is not offered'),
    ).toMatch(/5,00.*не пропонуватимуть/);
  });

  it('are those of the code where there are no others', () => {
    expect(inWords(new Refusal('not_found', 'Order 9 was not found in this store'))).toMatch(UKRAINIAN);
    expect(inWords(new Refusal('forbidden', "Only the store's owner may do this"))).toMatch(UKRAINIAN);
  });
});
