import { useNotifications } from '@mantine/notifications';
import { later, useOnce } from './lazy-component';

const Shown = later(() => import('./overlays').then((overlays) => overlays.Notifications));

/** The place of notifications. Their code is loaded with the first one. */
export function Notices() {
  const { notifications: shown } = useNotifications();
  return useOnce(shown.length > 0) && <Shown position="bottom-left" />;
}
