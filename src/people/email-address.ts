/** What may be somebody's name to sign in with: of the form name@host, nothing more is checked (docs/behaviour.md §12). */
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const MAX_EMAIL = 254;

/** Letter case and the blanks around it do not make another address. */
export const normalEmail = (email: string) => email.trim().toLowerCase();
