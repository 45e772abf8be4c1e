/** The result of one check. */
export interface Check {
  check: string;
  ok: boolean;
  /** Set if the check is not ok. An error prevents the service from working, a warning does not yet. */
  level?: 'error' | 'warning';
  found: string;
  /** How to fix the problem; null if the check is ok. */
  cure: string | null;
}

export interface Report {
  /** Whether there is no error; warnings do not count. */
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
export const wrong = (check: string, found: string, cure: string): Check => ({
  check,
  ok: false,
  level: 'error',
  found,
  cure,
});

/** The message of an error, or its code: the error of several failed addresses has no message. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
