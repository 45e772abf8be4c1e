import encodeQR from 'qr';

/** In modules of the code. Scanners need this margin. */
const QUIET_ZONE = 4;

interface Props {
  text: string;
  label: string;
  size?: number;
}

/** A text as a QR code. It is dark on light in both colour schemes, as scanners expect. */
export function QrCode({ text, label, size = 200 }: Props) {
  const rows = encodeQR(text, 'raw', { border: QUIET_ZONE });
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
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
