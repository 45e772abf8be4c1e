/** Letter case and the blanks around it do not make another address (docs/behaviour.md §12). */
export const normalEmail = (email: string) => email.trim().toLowerCase();
