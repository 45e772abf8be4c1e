import { UpdateCheckoutInput } from '../../../groups/checkout/checkout.dto.js';
import { PlaceOrderInput } from '../../../groups/orders/placing/place-order.dto.js';
import { CreateProductInput } from '../../../groups/products/products.dto.js';
import type { DtoClass } from '../field-spec.js';
import { validateInput } from '../validate.js';
import { NoInput } from '../pages/page.dto.js';
import { parseInput } from './parse-input.js';

const many = (text: string, count = 40_000) => Array.from({ length: count }, () => text).join(',');
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `"k${i}":{"a":[${i}]}`).join(' ,\n');

describe('parseInput', () => {
  const refusal = (type: DtoClass, value: unknown): string => {
    try {
      validateInput(type, value);
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('reads whole what an operation can take', () => {
    const condition =
      `{"dependsOn":"a\\"]}","operator" : ` +
      `"equals","value":"\\u00e9,{","action":"show","priceAdjustment":{"operator":"add","value":-1.5e1}}`;
    const field =
      `{"id":"a","label":"l","type":"text","required":true,"defaultVisible":false,` +
      `"conditions":[${many(condition, 50)}]}`;
    const text = ` {"mode":"manual","fields":\n[${many(field, 100)}] ,"filters":[]}\t`;
    const value = parseInput(text, UpdateCheckoutInput);
    expect(value).toEqual(JSON.parse(text));
    expect(refusal(UpdateCheckoutInput, value)).toBe('accepted');
  });

  it.each<[type: DtoClass, text: string]>([
    [UpdateCheckoutInput, `{"fields":[${many('{}')}]}`],
    [
      UpdateCheckoutInput,
      `{"fields":[${many('{"id":1,"conditions":[{},[1],2]}', 200)},${many('[[1],{"a":[]}]')}]}`,
    ],
    [UpdateCheckoutInput, `{"fields":{"a":[${many('1')}]},"mode":[${many('1')}],"filters":"x"}`],
    [UpdateCheckoutInput, `{"fields":[{"id":"a","conditions":[${many('{"a":1}')}]}]}`],
    [
      UpdateCheckoutInput,
      `{"filters":[[${many('{"a":1}')}],{"id":{"a":[${many('1')}]}}],"mode":"crypto","x":[1],"y":{"z":"\\""}}`,
    ],
    [
      CreateProductInput,
      `{"images":[${many('"https://a.example"')}],"title":[[[]]],"variants":[{"values":[${many('{}')}]}]}`,
    ],
    [CreateProductInput, `{"images":[${many('1', 90)},{"a":[${many('1')}]}],"title":"\\u0041"}`],
    [PlaceOrderInput, `{"items":[],"paymentMethod":"cash","shippingAddress":{${numbered(20_000)}}}`],
    [
      PlaceOrderInput,
      `{"items":[],"shippingAddress":{"a":[${many('1')}]},"checkoutData":[${many('{"id":"a"}')}]}`,
    ],
    [NoInput, `[${many('1')}]`],
  ])('gives a partly parsed body the same refusal as the whole body (%p, case %#)', (type, text) => {
    const message = refusal(type, JSON.parse(text));
    expect(message).not.toBe('accepted');
    expect(refusal(type, parseInput(text, type))).toBe(message);
  });

  it('refuses a body that is nested too deep before it reads it', () => {
    const nested = `{"a":[${many('{}')}],"b":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    expect(() => parseInput(nested, NoInput)).toThrow('nested deeper than 100 levels');
  });

  it('counts the unknown properties it leaves out, and looks at no more than two hundred', () => {
    const product = (unknown: number) => `{${numbered(unknown)},"images":[${many('"a"')}]}`;
    const few = refusal(CreateProductInput, parseInput(product(150), CreateProductInput)).split('; ');
    expect(few.slice(9, 12)).toEqual([
      expect.stringMatching(/^k9 is not a known property/),
      'The body has 140 more unknown properties',
      expect.stringMatching(/^productId is required/),
    ]);
    const lots = refusal(CreateProductInput, parseInput(product(30_000), CreateProductInput)).split('; ');
    expect(lots).toHaveLength(11);
    expect(lots[10]).toBe('The body has over 200 more unknown properties');
  });

  it.each([
    `{"fields":[${many('{}')}`,
    `{"fields":[${many('{}')}]}}`,
    `{"fields":[${many('{}')}],}`,
    `{"fields":[${many('{}')}],"mode"}`,
    `{"fields":[${many('{}')}],"mode":}`,
    `{"fields":[${many('{}')}],mode:1}`,
    `{"fields":[${many('{}')}],"mode":"${'x'.repeat(10)}`,
    `{"fields":[${many('{}', 100)},],"x":[${many('1')}]}`,
    `{"mode":tru,"x":[${many('1')}]}`,
    `{"mode":01,"x":[${many('1')}]}`,
    `{${many('[]')}}`,
  ])('throws for what is not JSON (case %#)', (text) => {
    expect(() => parseInput(text, UpdateCheckoutInput)).toThrow(SyntaxError);
  });

  it('refuses many values that no class describes, and one property given twice among many', () => {
    expect(() => parseInput(`[${many('1')}]`)).toThrow('The body must not hold more than 10000 values');
    expect(() => parseInput(`{"fields":[],"x":[${many('1')}],"fields":[]}`, UpdateCheckoutInput)).toThrow(
      'fields must not be given twice',
    );
    expect(parseInput(`["${'1,'.repeat(100_000)}"]`)).toEqual(['1,'.repeat(100_000)]);
  });
});
