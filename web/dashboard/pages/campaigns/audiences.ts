/** The most customers that send_campaign takes in a call. */
const MOST = 500;

/** Customers as audiences of one call each. With nobody there is one, which is refused. */
export function audiencesOf(ids: string[], most = MOST): { customerIds: string[] }[] {
  const count = Math.max(1, Math.ceil(ids.length / most));
  return Array.from({ length: count }, (_, i) => ({ customerIds: ids.slice(i * most, (i + 1) * most) }));
}
