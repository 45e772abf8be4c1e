/** The types and the size that the service accepts. It recognises types by the first bytes. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const MAX_BYTES = 5 * 1024 * 1024;
/** In pixels. No shopper's screen shows more of one picture. */
const LONGEST_EDGE = 2560;
const QUALITY = 0.9;

/**
 * Returns a picture that the service accepts: the file itself, or, if it is too large or of a type that
 * messengers do not show, the same picture drawn again as JPEG.
 * @returns null if this browser cannot display the file
 */
export async function acceptablePicture(file: File): Promise<Blob | null> {
  if (PICTURE_TYPES.includes(file.type) && file.size <= MAX_BYTES) return file;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, LONGEST_EDGE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d')!;
  // JPEG has no transparency; without a background, transparent parts would become black.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}
