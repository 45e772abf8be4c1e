export function createDatabase(url: string, name: string, template?: string): Promise<string>;
export function databaseUrl(url: string, name: string): string;
