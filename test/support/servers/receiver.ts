import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../eventually.js';

export interface Received {
  at: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  json: any;
}

type Answer = (response: ServerResponse, received: Received) => void;

export const answers = {
  status:
    (code: number, body = ''): Answer =>
    (response) =>
      void response.writeHead(code).end(body),
  redirect:
    (to: string): Answer =>
    (response) =>
      void response.writeHead(302, { Location: to }).end(),
  hang: (): Answer => () => undefined,
};

/** The tests' own webhook endpoint, over real HTTP. */
export class Receiver {
  readonly received: Received[] = [];
  private script: Answer[] = [];
  private otherwise: Answer = answers.status(204);

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const received = {
          at: Date.now(),
          headers: request.headers,
          body,
          json: body.length > 0 ? JSON.parse(body.toString()) : null,
        };
        receiver.received.push(received);
        (receiver.script.shift() ?? receiver.otherwise)(response, received);
      });
    });
    return receiver;
  }

  /** The answers to the next requests, in turn. After them the answer is 204 again. */
  next(...script: Answer[]): void {
    this.script.push(...script);
  }

  always(answer: Answer): void {
    this.otherwise = answer;
  }

  /** Waits until `count` requests have arrived in total. */
  async waitFor(count: number): Promise<Received[]> {
    await eventually(`${count} requests came`, () => this.received.length >= count);
    return this.received;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
