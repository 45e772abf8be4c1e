import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../eventually.js';

export interface ReceivedLetter {
  from: string;
  to: string[];
  /** The header and body as received. */
  raw: string;
  subject: string;
  text: string;
}

/** A real SMTP server that keeps the letters it receives. */
export class MailServer {
  readonly letters: ReceivedLetter[] = [];
  /** With what to refuse every letter. */
  refuses: string | null = null;

  private constructor(private readonly server: SMTPServer) {}

  static async start(credentials?: { user: string; password: string }): Promise<MailServer> {
    const server: SMTPServer = new SMTPServer({
      authOptional: !credentials,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        const right = username === credentials?.user && password === credentials?.password;
        done(right ? null : new Error('wrong password'), { user: username });
      },
      onRcptTo: (address, _session, done) =>
        done(mail.refuses === null ? null : new Error(`${mail.refuses}: ${address.address}`)),
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          mail.receive(
            from,
            envelope.rcptTo.map(({ address }) => address),
            Buffer.concat(chunks).toString(),
          );
          done();
        });
      },
    });
    const mail = new MailServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mail;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Waits for the next letter. */
  async next(after = this.letters.length): Promise<ReceivedLetter> {
    await eventually('a letter came', () => this.letters.length > after);
    return this.letters[after];
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private receive(from: string, to: string[], raw: string): void {
    const [head, ...rest] = raw.split('\r\n\r\n');
    const body = rest.join('\r\n\r\n');
    const isQuoted = /^content-transfer-encoding: quoted-printable/im.test(head);
    this.letters.push({
      from,
      to,
      raw,
      subject: /^subject: (.*(?:\r\n .*)*)/im.exec(head)?.[1].replace(/\r\n /g, ' ') ?? '',
      text: isQuoted ? unquoted(body) : body,
    });
  }
}

const unquoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

/** A server that accepts connections and never answers. */
export async function silentServer(): Promise<{
  url: string;
  connections: () => number;
  /** Those of them that the other side has ended. */
  ended: () => number;
  stop: () => Promise<void>;
}> {
  let [connections, ended] = [0, 0];
  const server: Server = createServer((socket) => {
    connections++;
    socket.resume().on('close', () => ended++);
    socket.on('error', () => undefined);
    stops.push(() => socket.destroy());
  });
  const stops: (() => void)[] = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    ended: () => ended,
    stop: async () => {
      for (const stop of stops) stop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
