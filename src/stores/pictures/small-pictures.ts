/**
 * The widths in pixels of the smaller pictures that are kept beside one that was uploaded with them. The
 * browser makes them, so that the service needs no code that draws.
 */
export const WIDTHS = [320, 640] as const;
export type Width = (typeof WIDTHS)[number];

/** An original with smaller ones beside it is called so; no other address has any. */
const WITH_SMALL = '(/[0-9a-f-]{36}/[0-9a-f-]{36})/original\\.[a-z]+$';
const PATTERN = new RegExp(WITH_SMALL);

/** The address of the smaller one; the same if there is none. */
export const smallPicture = (address: string, width: Width) => address.replace(PATTERN, `$1/${width}`);

/** SQL of the same. */
export const smallPictureOf = (column: string, width: Width) =>
  `regexp_replace(${column}, '${WITH_SMALL}', '\\1/${width}')`;
