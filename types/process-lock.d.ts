declare module '#process-lock' {
  export function processIdentity(pid: number): string | null;
  export function isRunning(identity: string): boolean;
  export function readText(path: string): string;
  export function withProcessLock<T>(path: string, work: () => Promise<T>, waitMs?: number): Promise<T>;
}
