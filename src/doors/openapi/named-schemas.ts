import { exampleOf } from '../../platform/schema/example.js';
import { type DtoClass, fields, type JsonSchema } from '../../platform/schema/field-spec.js';
import {
  jsonSchema,
  nestedSchema,
  outputSchema,
  pageSchema,
} from '../../platform/schema/json/json-schema.js';
import type { Paging } from '../../platform/schema/pages/page.js';

type Schemas = Record<string, JsonSchema>;
type ObjectSchema = JsonSchema & { properties: Schemas; required?: string[] };

/** The data that an endpoint returns. */
export interface Data {
  /** The name of the schema, or of the response if the schema has none. */
  name: string;
  schema: JsonSchema;
  example: unknown;
}

/** The name of a class in the document, without the suffix for its direction. */
const stem = ({ name }: DtoClass) => name.replace(/(Record|Input)$/, '');

/**
 * The named schemas of one document, each DTO class once. A schema has the name of its class without `Record`
 * or `Input`, and with `Input` at the end if callers send it: OrderRecord becomes Order, CreateBrandInput
 * keeps its name, and CheckoutFieldRecord, which is both sent and returned, becomes CheckoutFieldInput and
 * CheckoutField. A page of orders becomes OrderPage.
 */
export class NamedSchemas {
  private readonly schemas: Schemas = {};
  private readonly holders = new Map<string, unknown>();

  /** @param inPath the fields that are in the path, and therefore not in the body */
  input(type: DtoClass, inPath: string[] = []): JsonSchema {
    const whole = () => jsonSchema(type, (inner) => this.nestedInput(inner)) as ObjectSchema;
    // openapi-typescript demands a field with a default, unless the schema is written where it is sent.
    if (fields(type).some((field) => 'default' in field)) return without(whole(), inPath);
    const left = inPath.filter((name) => name in whole().properties);
    // Two paths that leave different fields for the body would need two classes.
    const holder = left.length > 0 ? `${type.name} without ${left.join()}` : type;
    return this.named(`${stem(type)}Input`, holder, () => without(whole(), left));
  }

  private nestedInput(type: DtoClass): JsonSchema {
    return this.named(`${stem(type)}Input`, type, () =>
      nestedSchema(type, (inner) => this.nestedInput(inner)),
    );
  }

  dataOf(type: DtoClass): Data {
    return { name: stem(type), schema: this.output(type), example: exampleOf(type) };
  }

  pageOf(type: DtoClass, paging: Paging): Data {
    const name = `${stem(type)}Page`;
    const schema = this.named(name, `a page ${paging}`, () => pageSchema(this.output(type), type, paging));
    const nextCursor = paging === 'feed' ? 'WyIwMTk4ZjNjMiJd' : null;
    const total = paging === 'counted' ? { total: 1 } : {};
    return { name, schema, example: { items: [exampleOf(type)], nextCursor, ...total } };
  }

  output(type: DtoClass): JsonSchema {
    return this.named(stem(type), type, () => outputSchema(type, (inner) => this.output(inner)));
  }

  /** @throws Error if something else already has the name */
  named(name: string, holder: unknown, write: () => JsonSchema): JsonSchema {
    if (!this.holders.has(name)) {
      this.holders.set(name, holder);
      this.schemas[name] = write();
    } else if (this.holders.get(name) !== holder) {
      throw new Error(
        `two schemas of the OpenAPI document would be named ${name}: rename one of the classes`,
      );
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** All schemas by name, in alphabetical order. */
  all(): Schemas {
    return Object.fromEntries(Object.entries(this.schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function without({ properties, required = [], ...rest }: ObjectSchema, names: string[]): JsonSchema {
  const left = required.filter((name) => !names.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(left.length > 0 ? { required: left } : {}),
  };
}
