import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isDateTime, isDay, isLongerThan, isShorterThan, isUri } from './formats.js';
import { exceedsBytes } from './json/json-size.js';

// What class-validator's own decorators cannot express. With `each`, the items of a list are checked.

function validator(
  name: string,
  meaning: string,
  constraints: unknown[],
  validate: (value: unknown) => boolean,
  options?: ValidationOptions,
): PropertyDecorator {
  const defaultMessage = buildMessage((each) => `${each}$property must ${meaning}`, options);
  return ValidateBy({ name, constraints, validator: { validate, defaultMessage } }, options);
}

const text = (check: (value: string) => boolean) => (value: unknown) =>
  typeof value === 'string' && check(value);

/** Length counts a character with its variation selector (U+FE0F) as one, our limits as two. */
export const HasCodePoints = (min: number, max: number, options?: ValidationOptions) =>
  validator(
    'hasCodePoints',
    'have $constraint1 to $constraint2 code points',
    [min, max],
    text((value) => !isShorterThan(value, min) && !isLongerThan(value, max)),
    options,
  );

/** IsUrl accepts addresses without a scheme, and refuses some that browsers open. */
export const IsAbsoluteUri = (protocols: string[], options?: ValidationOptions & { orEmpty?: boolean }) =>
  validator(
    'isAbsoluteUri',
    'be an absolute URI with one of the schemes $constraint1',
    [protocols],
    text((value) => (options?.orEmpty === true && value === '') || isUri(value, protocols)),
    options,
  );

/** IsRFC3339 accepts the 31st of February and leap seconds. */
export const IsInstant = (options?: ValidationOptions) =>
  validator('isInstant', 'be an instant of the years 1 to 9999', [], text(isDateTime), options);

export const IsCalendarDay = (options?: ValidationOptions) =>
  validator('isCalendarDay', 'be a day as YYYY-MM-DD', [], text(isDay), options);

export const FitsInBytes = (max: number, options?: ValidationOptions) =>
  validator(
    'fitsInBytes',
    'be at most $constraint1 bytes of JSON',
    [max],
    (value) => value !== undefined && !exceedsBytes(value, max),
    options,
  );
