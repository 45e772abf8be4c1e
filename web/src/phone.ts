import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen has room for only one column. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', window.innerWidth < 768, { getInitialValueInEffect: false });
}
