/**
 * The normal form of an address: letter case and surrounding white space do not matter (docs/behaviour.md
 * §12).
 */
export const normalEmail = (email: string) => email.trim().toLowerCase();
