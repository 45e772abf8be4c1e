/**
 * Whether a value is larger than `maxBytes` as UTF-8 JSON. A much larger one is only examined as far as
 * necessary.
 */
export function exceedsBytes(value: unknown, maxBytes: number): boolean {
  return leastBytes(value, maxBytes) > maxBytes || Buffer.byteLength(JSON.stringify(value)) > maxBytes;
}

/** A lower bound of the size as JSON. Stops counting soon after `enough`. */
function leastBytes(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && bytes <= enough; i++)
      bytes += 1 + leastBytes(value[i], enough - bytes);
    return bytes;
  }
  for (const key in value) {
    if (bytes > enough) break;
    bytes += key.length + 4 + leastBytes((value as Record<string, unknown>)[key], enough - bytes);
  }
  return bytes;
}
