import type { ReactNode } from 'react';

/**
 * Our own icons, drawn with one stroke on a grid of 24. They are hidden from screen readers, because the text
 * next to them says the same.
 */
const icon = (paths: ReactNode) =>
  function Icon({ size = 18 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.7}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {paths}
      </svg>
    );
  };
const line = (d: string) => icon(<path d={d} />);

export const ChartIcon = line('M4 20h16M7 16v-5M12 16V6M17 16v-8');
export const BagIcon = line('M5 8h14l-1.2 11.2a2 2 0 0 1-2 1.8H8.2a2 2 0 0 1-2-1.8zM9 10V7a3 3 0 0 1 6 0v3');
export const PeopleIcon = line(
  'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3 20c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5' +
    'M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.8c1.9.8 3 2.7 3 5.2',
);
export const BoxIcon = line('M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8');
export const TreeIcon = line('M6 4v16M6 8h6M6 16h6M12 6h6v4h-6zM12 14h6v4h-6z');
export const TagIcon = line('M4 4h8l8 8-8 8-8-8zM8 8h.01');
export const TicketIcon = line(
  'M4 8a2 2 0 0 0 2-2h12a2 2 0 0 0 2 2v3a2 2 0 0 0 0 4v1a2 2 0 0 0-2 2H6a2 2 0 0 0-2-2v-1a2 2 0 0 0 0-4z' +
    'M14 6v12',
);
export const TrophyIcon = line(
  'M8 4h8v6a4 4 0 0 1-8 0zM8 6H4c0 3 1.5 5 4 5M16 6h4c0 3-1.5 5-4 5M12 14v4M8 20h8',
);
export const MegaphoneIcon = line('M4 10v4h3l8 4V6l-8 4zM18 9a4 4 0 0 1 0 6M8 14l1.5 6');
export const CoinIcon = line(
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18' +
    'M9.5 15c.6.7 1.5 1 2.5 1 1.5 0 2.6-.8 2.6-2s-1-1.7-2.6-2-2.6-.8-2.6-2 1.1-2 2.6-2c1 0 1.9.3 2.5 1' +
    'M12 6.500v11',
);
export const FormIcon = line('M5 4h14v16H5zM8 8h8M8 12h8M8 16h4');
export const CardIcon = line('M3 6h18v12H3zM3 10h18M7 15h3');
export const ReceiptIcon = line('M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6');
export const WalletIcon = line('M4 7h14a2 2 0 0 1 2 2v9H6a2 2 0 0 1-2-2zM4 7a2 2 0 0 1 2-2h10M16 13h.01');
export const BotIcon = line('M6 9h12v9H6zM12 9V5M9 13h.01M15 13h.01M3 12v3M21 12v3');
export const GearIcon = line(
  'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.600l2.1 2.100' +
    'M16.3 16.300l2.1 2.100M18.4 5.600l-2.1 2.100M7.7 16.300l-2.1 2.1',
);
export const KeyIcon = line('M8 18a4 4 0 1 0 0-8 4 4 0 0 0 0 8M11 11l8-8M16 6l3 3M14 8l2 2');
export const BellIcon = line('M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 20a2 2 0 0 0 4 0');
export const LinkIcon = line(
  'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.700l-1 1' +
    'M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.700l1-1',
);
export const SparkIcon = line('M12 3l2 6.500L20 12l-6 2.500L12 21l-2-6.500L4 12l6-2.500z');
export const HistoryIcon = line('M4 12a8 8 0 1 0 2.5-5.800L4 8.500M4 4v4.500h4.500M12 8v4l3 2');
export const InvoiceIcon = line('M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5');
export const ShieldIcon = line('M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6zM9 12l2 2 4-4');
export const SearchIcon = line('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l4 4');
export const EyeIcon = line(
  'M2.500 12C5 7.500 8.300 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-5.800 6.500-9.500 6.500' +
    's-7-2-9.500-6.500zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
);
export const MoonIcon = line('M19 14.500A7.5 7.5 0 0 1 9.5 5 7.5 7.5 0 1 0 19 14.500z');
export const UserIcon = line(
  'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20c.8-3.5 3.7-5.5 7.5-5.500s6.7 2 7.5 5.5',
);
export const ExitIcon = line('M14 4H6v16h8M11 12h9M17 8l4 4-4 4');
export const PlusIcon = line('M12 5v14M5 12h14');
export const EditIcon = line('M4 20l1-4L16 5l3 3L8 19zM14 7l3 3');
export const TrashIcon = line('M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6');
export const CopyIcon = line('M9 9h11v11H9zM5 15H4V4h11v1');
export const CheckIcon = line('M5 12l5 5L20 7');
export const CrossIcon = line('M6 6l12 12M18 6L6 18');
export const DotsIcon = line('M6 12h.01M12 12h.01M18 12h.01');
export const TruckIcon = line(
  'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
);
export const PrintIcon = line('M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z');
export const DownIcon = line('M6 9l6 6 6-6');
export const UpIcon = line('M6 15l6-6 6 6');
export const DownloadIcon = line('M12 4v11M7 11l5 5 5-5M5 20h14');
export const UploadIcon = line('M12 15V4M7 8l5-5 5 5M5 20h14');
export const GripIcon = line('M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01');
export const CameraIcon = line('M4 8h4l2-3h4l2 3h4v11H4zM12 16a3 3 0 1 0 0-6 3 3 0 0 0 0 6');
