import { useRead } from '../../api/queries';
import { number } from '../../parts/values/format';

const REFRESH_MS = 60_000;

/** How many changes wait for this member, beside the page's name in the menu. */
export function Waiting() {
  const { data } = useRead('GET stores/{storeId}/approvals', {}, { refetchInterval: REFRESH_MS });
  const waiting = data?.items.filter(({ state }) => state === 'waiting').length ?? 0;
  return waiting > 0 && <span className="menu-badge">{number(waiting)}</span>;
}
