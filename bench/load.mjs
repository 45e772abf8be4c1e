// Loads one server over raw keep-alive sockets, so that the generator costs little of the two cores. Prints one JSON line.
import { connect } from 'node:net';

const { port, operation, seconds, connections, orders, tokens, ratePerSecond } = JSON.parse(process.argv[2]);
const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED'];
const HEADER_END = Buffer.from('\r\n\r\n');

function requestBytes(n) {
  const orderId = 1 + Math.floor(Math.random() * orders);
  const body = JSON.stringify(
    operation === 'list_orders'
      ? { take: 20, cursor: String(orderId) }
      : operation === 'get_order'
        ? { orderId }
        : { orderId, status: STATUSES[n % STATUSES.length] },
  );
  const token = tokens[(orderId - 1) % tokens.length];
  return `POST /v1/${operation} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const latencies = [];
let errors = 0;
let sent = 0;
const started = performance.now();
const until = started + seconds * 1000;

function drive() {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let buffered = Buffer.alloc(0);
    let sentAt = 0;
    const next = () => {
      if (performance.now() >= until) return socket.end(resolve);
      if (!ratePerSecond) return send();
      const due = started + (sent / ratePerSecond) * 1000;
      setTimeout(send, Math.max(0, due - performance.now()));
    };
    const send = () => {
      sentAt = performance.now();
      socket.write(requestBytes(sent++));
    };
    socket.on('connect', next);
    socket.on('error', () => (errors++, resolve()));
    socket.on('data', (data) => {
      buffered = buffered.length === 0 ? data : Buffer.concat([buffered, data]);
      const end = buffered.indexOf(HEADER_END);
      if (end < 0) return;
      const head = buffered.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)[1]);
      if (buffered.length < end + 4 + length) return;
      if (!head.startsWith('HTTP/1.1 200')) errors++;
      latencies.push(performance.now() - sentAt);
      buffered = buffered.subarray(end + 4 + length);
      next();
    });
  });
}

await Promise.all(Array.from({ length: connections }, drive));
const elapsed = (performance.now() - started) / 1000;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
console.log(
  JSON.stringify({ perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), errors, calls: latencies.length }),
);
