/** A type of picture that browsers display and that cannot contain scripts, unlike SVG. */
export interface ImageType {
  type: string;
  extension: string;
  /** Whether these bytes are a file of this type. */
  is(bytes: Buffer): boolean;
}

const begins =
  (...parts: [at: number, text: string][]) =>
  (bytes: Buffer) =>
    parts.every(([at, text]) => bytes.toString('latin1', at, at + text.length) === text);

export const IMAGE_TYPES: readonly ImageType[] = [
  { type: 'image/png', extension: 'png', is: begins([0, '\x89PNG\r\n\x1a\n']) },
  { type: 'image/jpeg', extension: 'jpg', is: begins([0, '\xff\xd8\xff']) },
  { type: 'image/webp', extension: 'webp', is: begins([0, 'RIFF'], [8, 'WEBP']) },
  {
    type: 'image/gif',
    extension: 'gif',
    is: (bytes) => begins([0, 'GIF87a'])(bytes) || begins([0, 'GIF89a'])(bytes),
  },
];
