/** @see balancer-settings.mjs */
export function balancerSettings(folder: string, port: number, ports: Record<string, number>): string;
