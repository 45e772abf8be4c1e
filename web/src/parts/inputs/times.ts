/**
 * Converts to the format of a native date and time input, which has the reader's local time without a time
 * zone.
 */
export function localTime(iso: string | null | undefined): string {
  if (!iso) return '';
  const moment = new Date(iso);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const utcTime = (local: string) => (local ? new Date(local).toISOString() : null);
