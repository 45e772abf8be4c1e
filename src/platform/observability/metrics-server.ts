import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ConfigurationError } from '../config/config.js';
import { Metrics } from './metrics.js';

/**
 * Serves `/metrics` on a separate port that need not be public (METRICS_PORT). It answers until the very end
 * of a stop.
 */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private server: Server | null = null;

  constructor(private readonly metrics: Metrics) {}

  /** The port, or null if it does not listen. */
  get port(): number | null {
    return (this.server?.address() as AddressInfo | null | undefined)?.port ?? null;
  }

  /** @param port 0 lets the system choose one @throws ConfigurationError if the port is taken */
  async listen(port: number, host: string): Promise<void> {
    const server = createServer((request, response) => {
      const isMetrics = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics';
      if (!isMetrics) return void response.writeHead(404).end();
      void this.metrics
        .text()
        .then((text) => response.setHeader('Content-Type', this.metrics.contentType).end(text));
    });
    await new Promise<void>((resolve, reject) => {
      const refuse = ({ code }: NodeJS.ErrnoException) =>
        reject(new ConfigurationError(`METRICS_PORT: the service cannot listen on port ${port} (${code})`));
      server.once('error', refuse).listen(port, host, resolve);
    });
    this.server = server;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
