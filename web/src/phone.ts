import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen has room for only one column. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', window.innerWidth < 768, { getInitialValueInEffect: false });
}

/** Whether the connection has less than a megabit a second. Some browsers do not tell. */
export function isSlow(): boolean {
  const { connection } = navigator as { connection?: { downlink?: number } };
  return (connection?.downlink ?? 1) < 1;
}
