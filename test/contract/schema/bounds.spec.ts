import { declaredRoutes } from '../../../src/doors/dashboard/dashboard-pages.js';
import { PlaceOrderFile } from '../../../src/groups/orders/placing/place-order.dto.js';
import {
  type DtoClass,
  fields,
  type FieldSpec,
  type JsonSchema,
} from '../../../src/platform/schema/field-spec.js';
import { validateInput } from '../../../src/platform/schema/validate.js';
import { jsonSchema } from '../../../src/platform/schema/json/json-schema.js';
import { type OperationSpec, endpointsOf } from '../../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { StorefrontController } from '../../../src/doors/storefront/storefront.controller.js';
import { useShop } from '../../support/test-app.js';

/** docs/behaviour.md §1.6: every string, list and object has a bound. */
describe('every input', () => {
  let operations: OperationSpec[];

  const app = useShop();
  beforeAll(async () => {
    operations = app.nest.get(OperationRegistry).list();
  });

  const inputs = (): [name: string, input: DtoClass][] => [
    ...operations.map(({ name, input }): [string, DtoClass] => [name, input]),
    ...declaredRoutes().flatMap(({ method, path, input }): [string, DtoClass][] =>
      input ? [[`${method} ${path}`, input]] : [],
    ),
    ...endpointsOf(StorefrontController).flatMap(({ path, input }): [string, DtoClass][] =>
      input ? [[`storefront ${path}`, input]] : [],
    ),
    ['order place', PlaceOrderFile],
  ];

  it('bounds every string, list and object, at every depth', () => {
    const unbounded = inputs().flatMap(([name, input]) => unboundedOf(input, jsonSchema(input), name));
    expect(unbounded).toEqual([]);
    expect(inputs().length).toBeGreaterThan(70);
  });

  it.each<[operation: string, path: string, kind: keyof JsonSchema, bound: number]>([
    ['get_brand', 'id', 'maxLength', 200],
    ['get_product', 'id', 'maxLength', 500],
    ['create_product', 'title', 'maxLength', 500],
    ['create_product', 'description', 'maxLength', 20_000],
    ['create_product', 'tags', 'maxLength', 2_000],
    ['create_product', 'images', 'maxItems', 100],
    ['create_product', 'images.items', 'maxLength', 2_048],
    ['create_product', 'variants', 'maxItems', 20],
    ['create_product', 'variants.items.properties.values', 'maxItems', 200],
    ['create_brand', 'logoUrl', 'maxLength', 2_048],
    ['connect_bot', 'token', 'maxLength', 2_000],
    ['send_campaign', 'text', 'maxLength', 4_096],
    ['send_campaign', 'audience.properties.customerIds', 'maxItems', 500],
    ['update_checkout', 'fields', 'maxItems', 200],
    ['update_checkout', 'fields.items.properties.conditions', 'maxItems', 50],
    ['update_checkout', 'filters', 'maxItems', 20],
    ['update_monetization', 'cashback.properties.levels', 'maxItems', 100],
    ['update_monetization', 'cashback.properties.categoryRates', 'maxItems', 200],
    ['create_payment_provider', 'providerToken', 'maxLength', 2_000],
    ['create_payment_provider', 'supportedCurrencies', 'maxItems', 200],
    ['ship_order', 'trackingUrl', 'maxLength', 2_048],
    ['add_order_note', 'note', 'maxLength', 2_000],
  ])('%s holds %s to its %s of %d', (operation, path, kind, bound) => {
    const { input } = operations.find(({ name }) => name === operation)!;
    const schema = path.split('.').reduce((at: any, key) => at[key], jsonSchema(input).properties);
    expect(schema[kind]).toBe(bound);
  });

  it('says what an absent flag of something new counts as, because forms show and send it', () => {
    const flags = operations
      .filter(({ name }) => name.startsWith('create_'))
      .flatMap(({ name, input }) => {
        const { properties, required = [] } = jsonSchema(input);
        return Object.entries(properties as Record<string, JsonSchema>)
          .filter(([field, { type }]) => type === 'boolean' && !(required as string[]).includes(field))
          .map(([field, schema]): [string, unknown] => [`${name}.${field}`, schema.default]);
      });
    expect(flags.filter(([, value]) => value === undefined)).toEqual([]);
    expect(flags.length).toBeGreaterThan(3);
  });

  it('holds an object of free keys, and an answer of the checkout form, to 16 KiB of JSON', () => {
    const order = (more: object) => ({
      messengerUserId: '1',
      items: [{ productId: 'p', quantity: 1 }],
      paymentMethod: 'cash',
      ...more,
    });
    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    const answer = (bytes: number) => ({ id: 'a', label: 'x'.repeat(bytes - 43), type: 't', value: '' });
    expect(JSON.stringify(answer(16_384))).toHaveLength(16_384);
    for (const fits of [
      { shippingAddress: sized(16_384) },
      { checkoutData: [answer(16_384), answer(16_384)] },
    ]) {
      expect(() => validateInput(PlaceOrderFile, order(fits))).not.toThrow();
    }
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${i}`, 1]));
    for (const shippingAddress of [
      sized(16_385),
      { a: '€'.repeat(6_000) },
      wide,
      { a: Array(9_000).fill(1) },
    ]) {
      expect(() => validateInput(PlaceOrderFile, order({ shippingAddress }))).toThrow(
        /^shippingAddress must be at most 16384 bytes of JSON$/,
      );
    }
    expect(() =>
      validateInput(PlaceOrderFile, order({ checkoutData: [answer(50), answer(16_385)] })),
    ).toThrow(/^checkoutData\[1\]\.value makes an answer of more than 16384 bytes of JSON$/);
  });
});

/**
 * The paths of what the schema leaves unbounded. Numbers, flags and enumerations have a bound by themselves,
 * dates by their format.
 */
function unboundedOf(type: DtoClass, schema: JsonSchema, path: string): string[] {
  return fields(type).flatMap((field) => {
    const value = (schema.properties as Record<string, JsonSchema>)[field.name];
    return unboundedValue(
      field,
      field.nullable ? (value.anyOf as JsonSchema[])[0] : value,
      `${path}.${field.name}`,
    );
  });
}

function unboundedValue(field: FieldSpec, schema: JsonSchema, path: string): string[] {
  const {
    type,
    enum: values,
    format,
    maxLength,
    maxItems,
    anyOf,
    items,
  } = schema as JsonSchema & { items?: JsonSchema };
  if (anyOf) return (anyOf as JsonSchema[]).flatMap((inner) => unboundedValue(field, inner, path));
  if (values || ['integer', 'number', 'boolean'].includes(String(type))) return [];
  if (type === 'string')
    return format?.toString().startsWith('date') || Number.isInteger(maxLength) ? [] : [path];
  if (type === 'array') {
    const inside = field.nested
      ? unboundedOf(field.nested.type(), items!, `${path}[]`)
      : unboundedValue(field, items!, `${path}[]`);
    return [...(Number.isInteger(maxItems) ? [] : [path]), ...inside];
  }
  if (field.nested) return unboundedOf(field.nested.type(), schema, path);
  return type === 'object' && field.maxBytes !== undefined ? [] : [path];
}
