import { neutralized } from './formulas.js';

/** As docs/behaviour.md §10.2 tells readers of an export. */
const restored = (text: string) =>
  text.replace(/(?<=^|[,;\t\r\n])([ "']*)'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1');

/** docs/behaviour.md §10.2 */
describe('a text in a CSV file', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+380', "'+380"],
    ['-1', "'-1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['\uFF1D1', "'\uFF1D1"],
    ['\t=1', "'\t'=1"],
    ['\n=1+1', "\n'=1+1"],
    ['\r\n@x', "'\r\n'@x"],
    ['a;=1+2;b', "a;'=1+2;b"],
    ['a; "=1+2', `a; "'=1+2`],
    [' =1', " '=1"],
    ["'=1", "''=1"],
    ['""=1', `""'=1`],
  ])('%j is neutralized', (text, neutral) => {
    expect(neutralized(text)).toBe(neutral);
  });

  it.each(['', 'Olena', "O'Neil", 'a=b', 'Kyiv, Main 1; flat 2', '2x tee-shirt', "'quoted'"])(
    '%j stays as it is',
    (text) => {
      expect(neutralized(text)).toBe(text);
    },
  );

  it('has no place left where a formula could begin, and is restored exactly', () => {
    const signs = ['=', '+', '-', '@', '\t', '\r', '\n', ';', ',', "'", '"', ' ', 'a', '\uFF1D'];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const texts = Array.from({ length: 20_000 }, () =>
      Array.from({ length: random(9) }, () => signs[random(signs.length)]).join(''),
    );
    expect(texts.filter((text) => restored(neutralized(text)) !== text)).toEqual([]);
    const begins = /(^|[,;\t\r\n])[ "]*[=+@\uFF1D-]/;
    expect(texts.filter((text) => begins.test(neutralized(text)))).toEqual([]);
  });
});
