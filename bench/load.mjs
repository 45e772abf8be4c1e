// Sends load to one or more servers over raw keep-alive sockets, so that the generator itself needs little
// processor time. Prints one JSON line.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * `calls` or `seconds` limits the run. `ratePerSecond` sets a steady rate. `mcp` is a revision of the
 * protocol, unset for HTTP. `requests` is a file of complete requests to send instead, in order and
 * repeatedly, beginning with number `from`.
 */
const { ports, operation, mcp, seconds, calls, connections, orders, tokens, ratePerSecond, requests, from } =
  JSON.parse(process.argv[2]);
const prepared = requests && JSON.parse(readFileSync(requests, 'utf8'));
/** The marks of a failed call in responses of a GraphQL server, which always have status 200. */
const FAILED = ['"errors":[', '"errorCode":'];
/** From this revision on, each message carries what an older client sent only once, when it connected. */
const SELF_CONTAINED = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': SELF_CONTAINED,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED'];
const CRLF = '\r\n';
const END = Buffer.from(CRLF + CRLF);
const LAST_CHUNK = Buffer.from(`${CRLF}0${END}`);

const INPUTS = {
  get_order: (orderId) => ({ orderId }),
  list_orders: (orderId) => ({ take: 20, cursor: String(orderId) }),
  set_order_status: (orderId, n) => ({ orderId, status: STATUSES[n % STATUSES.length] }),
  ship_order: (orderId, n) => ({ orderId, carrier: 'Post', trackingNumber: `TRACK-${n}` }),
};

function requestBytes(n) {
  if (prepared) return prepared[(from + n) % prepared.length];
  const orderId = 1 + Math.floor(Math.random() * orders);
  const input = INPUTS[operation](orderId, n);
  const params = { name: operation, arguments: input, ...(mcp === SELF_CONTAINED ? { _meta: META } : {}) };
  const message = { jsonrpc: '2.0', id: n, method: 'tools/call', params };
  const body = JSON.stringify(mcp ? message : input);
  const lines = [
    `POST ${mcp ? '/mcp' : `/v1/${operation}`} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${tokens[(orderId - 1) % tokens.length]}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  if (mcp) lines.push('Accept: application/json, text/event-stream', `MCP-Protocol-Version: ${mcp}`);
  if (mcp === SELF_CONTAINED) lines.push('Mcp-Method: tools/call', `Mcp-Name: ${operation}`);
  return lines.join(CRLF) + END + body;
}

/** The length of the first complete response in the buffer, or 0. */
function answerLength(buffer) {
  const end = buffer.indexOf(END);
  if (end < 0) return 0;
  const length = /content-length: (\d+)/i.exec(buffer.toString('latin1', 0, end))?.[1];
  if (length === undefined) {
    const last = buffer.indexOf(LAST_CHUNK, end);
    return last < 0 ? 0 : last + LAST_CHUNK.length;
  }
  const whole = end + END.length + Number(length);
  return buffer.length < whole ? 0 : whole;
}

const latencies = [];
let errors = 0;
let sent = 0;

const sockets = await Promise.all(
  Array.from({ length: connections }, (_, i) => open(ports[i % ports.length])),
);
/** All connections are open by now, so that a steady rate does not begin with calls that are overdue. */
const started = performance.now();
const until = started + (seconds ?? Infinity) * 1000;

async function open(port) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.setNoDelay(true);
}

function drive(socket) {
  return new Promise((resolve) => {
    let buffered = Buffer.alloc(0);
    let sentAt = 0;
    const next = () => {
      if (performance.now() >= until || sent >= (calls ?? Infinity)) return socket.end(resolve);
      const n = sent++;
      if (!ratePerSecond) return send(n);
      const due = started + (n / ratePerSecond) * 1000;
      setTimeout(() => send(n), Math.max(0, due - performance.now()));
    };
    const send = (n) => {
      sentAt = performance.now();
      socket.write(requestBytes(n));
    };
    socket.on('error', () => (errors++, resolve()));
    socket.on('data', (data) => {
      buffered = buffered.length === 0 ? data : Buffer.concat([buffered, data]);
      const length = answerLength(buffered);
      if (length === 0) return;
      const answer = buffered.toString('latin1', 0, length);
      if (!answer.startsWith('HTTP/1.1 200') || (mcp && !answer.includes('"ok":true'))) errors++;
      else if (prepared && FAILED.some((mark) => answer.includes(mark))) errors++;
      latencies.push(performance.now() - sentAt);
      buffered = buffered.subarray(length);
      next();
    });
    next();
  });
}

await Promise.all(sockets.map(drive));
const elapsed = (performance.now() - started) / 1000;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
console.log(
  JSON.stringify({
    perSecond: latencies.length / elapsed,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    errors,
    calls: latencies.length,
  }),
);
