import encodeQR from 'qr';
import { words } from '../../words';

/** In modules of the code. Scanners need this margin. */
const QUIET_ZONE = 4;

/** A text as a QR code. It is dark on light in both colour schemes, as scanners expect. */
export default function QrCode({ text, size = 200 }: { text: string; size?: number }) {
  const rows = encodeQR(text, 'raw', { border: QUIET_ZONE });
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={words.security.qr}
      width={size}
      height={size}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
