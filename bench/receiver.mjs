// Receives webhooks, and reports on SIGUSR2 and at the end how long after its change each one arrived. On
// HANGING_PORT it accepts webhooks and never answers.
import { createServer } from 'node:http';

let delays = [];
const report = () => {
  delays.sort((a, b) => a - b);
  const at = (share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
  console.log(JSON.stringify({ received: delays.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }));
  delays = [];
};
createServer(() => undefined).listen(Number(process.env.HANGING_PORT), '127.0.0.1');
createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const at = Date.now();
    response.writeHead(204).end();
    const text = Buffer.concat(chunks).toString();
    const changed = Date.parse(
      text.slice(text.lastIndexOf('"updatedAt":"') + 13, text.lastIndexOf('"updatedAt":"') + 37),
    );
    delays.push(at - changed);
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
process.on('SIGUSR2', report);
