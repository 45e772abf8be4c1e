/** The ids in a text that is nothing but ids, as people copy them from a list or a sheet. */
export function idsIn(text: string): string[] {
  const parts = text.split(/[,;\t\r\n]/).map((part) => part.trim());
  const ids = parts.filter((part) => part !== '');
  return ids.every((id) => /^\d+$/.test(id)) ? ids : [];
}
