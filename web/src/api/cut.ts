/** In bytes. The service takes 1 MiB of JSON, and what stands around the items needs some of it. */
const MOST_BYTES = 900 * 1024;

/** Cuts items into what fits into a call each, by their number and by their bytes as JSON. */
export function cut<Item>(items: Item[], most: number): Item[][] {
  const encoder = new TextEncoder();
  const parts: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    // With the comma after it.
    const more = encoder.encode(JSON.stringify(item)).length + 1;
    const part = parts.at(-1);
    if (part && part.length < most && bytes + more <= MOST_BYTES) {
      part.push(item);
      bytes += more;
    } else {
      parts.push([item]);
      bytes = more;
    }
  }
  return parts;
}
