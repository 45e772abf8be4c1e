export function asShipped(file: string): string | null;
