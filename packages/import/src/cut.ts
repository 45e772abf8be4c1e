/** In bytes. The service takes 1 MiB of JSON, and what stands around the items needs some of it. */
const MOST_BYTES = 900 * 1024;

/** The first items that fit into a call, by their number and by their bytes as JSON; one at least. */
export function firstPart<Item>(items: readonly Item[], most: number): Item[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = items.slice(0, most).findIndex((item, i) => {
    // With the comma after it.
    bytes += encoder.encode(JSON.stringify(item)).length + 1;
    return i > 0 && bytes > MOST_BYTES;
  });
  return items.slice(0, end === -1 ? most : end);
}

/** Cuts items into what fits into a call each. */
export function cut<Item>(items: readonly Item[], most: number): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += parts.at(-1)!.length)
    parts.push(firstPart(items.slice(from, from + most), most));
  return parts;
}
