import { invalidInput } from '../../../platform/errors.js';
import { nameKey } from '../../../platform/text/name-key.js';
import { MAX_OPTIONS, MAX_VALUES, MAX_VARIANTS } from './variants.dto.js';

/** What a product would have: options, values of its fullest option, and variants of all options. */
interface VariantCounts {
  options: number;
  values: number;
  total: number;
}

/**
 * The bounds of the variants of a product, however they come to it (docs/behaviour.md §1.6).
 * @param names of the fields that refusals name
 * @throws OperationError invalid_input
 */
export function requireRoom(
  { options, values, total }: VariantCounts,
  names: { option: string; value: string },
): void {
  if (options > MAX_OPTIONS)
    throw invalidInput(`${names.option}: a product has at most ${MAX_OPTIONS} options`).about(
      'options_most',
      { path: names.option, most: MAX_OPTIONS },
    );
  if (values > MAX_VALUES)
    throw invalidInput(`${names.value}: an option has at most ${MAX_VALUES} values`).about('values_most', {
      path: names.value,
      most: MAX_VALUES,
    });
  if (total > MAX_VARIANTS)
    throw invalidInput(`${names.value}: a product has at most ${MAX_VARIANTS} variants`).about(
      'variants_most',
      { path: names.value, most: MAX_VARIANTS },
    );
}

/**
 * The same for variants that are given together.
 * @param optionTitles of all variants that the product would have
 * @param field that refusals name
 */
export function requireRoomForAll(optionTitles: readonly string[], field: string): void {
  const options = new Map<string, number>();
  for (const key of optionTitles.map(nameKey)) options.set(key, (options.get(key) ?? 0) + 1);
  const values = Math.max(0, ...options.values());
  requireRoom({ options: options.size, values, total: optionTitles.length }, { option: field, value: field });
}
