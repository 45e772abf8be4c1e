import { WIDTHS } from '../../../../src/stores/pictures/small-pictures.js';

/** The types and the size that the service accepts. It recognises types by the first bytes. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const MAX_BYTES = 5 * 1024 * 1024;
/** A picture of this size is sent as it is. */
const SMALL_BYTES = 1024 * 1024;
/** In pixels. No shopper's screen shows more of one picture. */
const LONGEST_EDGE = 2048;
const QUALITY = 0.9;

/**
 * Returns a picture that the service accepts and that a phone loads quickly: the file itself if it is small,
 * or else the same picture drawn again, smaller and without what a camera notes in it. Its type stays if the
 * service accepts it; otherwise it becomes JPEG.
 * @returns null if this browser cannot display the file, and the service would not take it
 */
export async function acceptablePicture(file: File): Promise<Blob | null> {
  const isAccepted = PICTURE_TYPES.includes(file.type) && file.size <= MAX_BYTES;
  // Drawn again, an animation would stand still.
  if (isAccepted && file.type === 'image/gif') return file;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return isAccepted ? file : null;
  const scale = Math.min(1, LONGEST_EDGE / Math.max(picture.width, picture.height));
  if (isAccepted && scale === 1 && file.size <= SMALL_BYTES) return file;
  const kept = PICTURE_TYPES.includes(file.type) && file.type !== 'image/gif' ? file.type : 'image/jpeg';
  const drawn = await draw(picture, scale, kept);
  const best = drawn && drawn.size <= MAX_BYTES ? drawn : await draw(picture, scale, 'image/jpeg');
  return isAccepted && scale === 1 && best && file.size <= best.size ? file : best;
}

/** A picture of so few bytes and pixels needs no smaller ones. */
const LIGHT_BYTES = 30 * 1024;
const SMALL_QUALITY = 0.8;

/**
 * The picture in the widths that are kept beside it, as WebP, or as JPEG where the browser writes none.
 * @returns nothing for one that is small itself, or that this browser cannot draw
 */
export async function smallPicturesOf(picture: Blob): Promise<Blob[]> {
  const whole = await createImageBitmap(picture).catch(() => null);
  if (!whole || (whole.width <= WIDTHS[0] && picture.size <= LIGHT_BYTES)) return [];
  const drawn = await Promise.all(WIDTHS.map((width) => small(whole, Math.min(1, width / whole.width))));
  return drawn.every((one) => one !== null) ? drawn : [];
}

async function small(whole: ImageBitmap, scale: number): Promise<Blob | null> {
  const webp = await draw(whole, scale, 'image/webp', SMALL_QUALITY);
  // A canvas writes PNG in place of a type that it cannot write.
  return webp?.type === 'image/webp' ? webp : draw(whole, scale, 'image/jpeg', SMALL_QUALITY);
}

function draw(picture: ImageBitmap, scale: number, type: string, quality = QUALITY): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d')!;
  if (type === 'image/jpeg') {
    // It has no transparency; without a background, transparent parts would become black.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}
