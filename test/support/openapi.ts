type Json = any;

/** A document with every reference replaced by its target, for tests of its contents. */
export function dereferenced(document: Json): Json {
  const resolve = (reference: string): Json =>
    reference
      .slice(2)
      .split('/')
      .reduce((value, key) => value[key.replaceAll('~1', '/')], document);
  const replace = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value;
    const entries = Object.entries(rest).map(([key, inner]) => [key, replace(inner)]);
    return { ...(typeof $ref === 'string' ? replace(resolve($ref)) : {}), ...Object.fromEntries(entries) };
  };
  return replace({ ...document, components: undefined });
}
