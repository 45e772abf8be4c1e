export function installTools(folder: string, packages: string[]): void;
