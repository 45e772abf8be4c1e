import { ConfigurationError } from '../platform/config/config.js';

/** Explains why the service does not start, and how to fix it. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  const { code, message, syscall, port, address } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRINUSE')
    return (
      `Port ${port} is taken by another program, or by this service started before. Choose another one: ` +
      `PORT=${port! + 1} npm start`
    );
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} is not open to this user. Choose one above 1023 with PORT.`;
  if (code === 'EADDRNOTAVAIL') return `HOST: ${address} is not an address of this machine`;
  return `The service could not start: ${message || code || String(error)}`;
}

/** The service was stopped before it was up, which is not a failure. */
export class StoppedEarly extends Error {}
