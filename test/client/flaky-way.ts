import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the way answers itself. */
interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Answers when the next request has arrived, so that both calls are under way at once. */
  withNext?: boolean;
}

/** What happens to one request on its way. */
export type Mishap = 'none' | 'lost before' | 'lost after' | Answer;

export interface Passed {
  path: string;
  headers: IncomingMessage['headers'];
}

/**
 * A network between the client and the service that fails as it is told to: requests or answers get lost, or
 * something else answers.
 */
export class FlakyWay {
  readonly passed: Passed[] = [];
  private readonly mishaps: Mishap[] = [];
  private held = () => {};

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(target: string): Promise<FlakyWay> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const way = new FlakyWay(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => way.pass(target, request, response));
    return way;
  }

  /** What happens to the next requests, in turn. */
  next(...mishaps: Mishap[]): void {
    this.mishaps.push(...mishaps);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(target: string, request: IncomingMessage, response: ServerResponse): void {
    const mishap = this.mishaps.shift();
    this.passed.push({ path: request.url!, headers: request.headers });
    this.held();
    this.held = () => {};
    if (mishap === 'lost before') return void request.socket.destroy();
    if (typeof mishap === 'object') {
      const answer = () => response.writeHead(mishap.status, mishap.headers).end(mishap.body);
      request.resume();
      if (mishap.withNext) this.held = answer;
      else request.on('end', answer);
      return;
    }
    const { host: _, ...headers } = request.headers;
    const onward = forward(target + request.url, { method: request.method, headers }, (answer) => {
      if (mishap === 'lost after') return void answer.resume().on('end', () => request.socket.destroy());
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }
}
