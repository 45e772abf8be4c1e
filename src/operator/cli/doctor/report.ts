/** One thing that was looked at. */
export interface Check {
  check: string;
  ok: boolean;
  /** Of a check that is not ok: an error keeps the service from working, a warning does not yet. */
  level?: 'error' | 'warning';
  found: string;
  /** What to do about it; null when all is well. */
  cure: string | null;
}

export interface Report {
  /** Whether nothing is wrong; warnings do not count. */
  ok: boolean;
  checks: Check[];
}

export const fine = (check: string, found: string): Check => ({ check, ok: true, found, cure: null });
export const warning = (check: string, found: string, cure: string): Check => ({
  check,
  ok: false,
  level: 'warning',
  found,
  cure,
});
export const wrong = (check: string, found: string, cure: string): Check => ({ check, ok: false, level: 'error', found, cure });

/** What an error says of itself; those of several addresses tried at once say nothing but their code. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
