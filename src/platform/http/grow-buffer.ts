/**
 * Joins the pieces of a body as they arrive, because a million pieces of one
 * byte, each in its own buffer, would take a hundred times their size.
 * @param size the size of both together
 */
export function append(body: Buffer, piece: Buffer, size: number, max: number): Buffer {
  const at = size - piece.length;
  let whole = body;
  if (size > body.length) {
    whole = Buffer.allocUnsafeSlow(Math.min(max, Math.max(size, 2 * body.length)));
    body.copy(whole, 0, 0, at);
  }
  piece.copy(whole, at);
  return whole;
}
