import encodeQR from 'qr';
import { words } from '../../words';

const QUIET = 4;

/** A text to be read by a phone's camera: dark on light in both schemes, as readers expect it. */
export default function QrCode({ text, size = 200 }: { text: string; size?: number }) {
  const rows = encodeQR(text, 'raw', { border: 0 });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  const side = rows.length + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={words.security.qr}
      width={size}
      height={size}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
