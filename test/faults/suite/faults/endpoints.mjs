// Endpoints that misbehave in every way that costs time or memory, and those that redirect inwards.
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Canary } from '../canary.mjs';
import { TIMEOUT_S } from '../limits.mjs';
import { behaviour } from '../receiver.mjs';

const NAMES = path.join(import.meta.dirname, '../names.mjs');
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));
/**
 * Reading 64 KiB more of a response may take a second after the time-out; the rest is other work on the
 * machine.
 */
const ATTEMPT_LIMIT_MS = TIMEOUT_S * 1000 + 1_500;
const TWO_HUNDRED = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

/** Writes as long as the other side reads. */
const pour = (socket, chunk, everyMs) => {
  const timer = setInterval(() => socket.write(chunk), everyMs);
  socket.once('close', () => clearInterval(timer));
  socket.on('error', () => undefined);
};

/** What each endpoint does, and what the attempt must be recorded as: null for delivered. */
const KINDS = {
  hangs: { answer: behaviour.hang, error: /^timed out after/ },
  'drips its headers': {
    answer: ({ socket }) => void (socket.write(TWO_HUNDRED), pour(socket, 'x', 200)),
    error: /^timed out after/,
  },
  'drips its body': {
    answer: ({ socket }) =>
      void (socket.write(`${TWO_HUNDRED}Content-Length: 1000\r\n\r\n`), pour(socket, 'x', 200)),
    error: null,
  },
  'sends a body without end': {
    answer: ({ socket }) =>
      void (socket.write(`${TWO_HUNDRED}\r\n`), pour(socket, Buffer.alloc(1024 * 1024, 120), 5)),
    error: null,
  },
  'sends a gzip bomb': {
    answer: (response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB),
    error: null,
  },
  'resets the connection': {
    answer: ({ socket }) => void socket.resetAndDestroy(),
    error: /^connection closed/,
  },
  'closes the connection': { answer: ({ socket }) => void socket.destroy(), error: /^connection closed/ },
  'does not speak HTTP': {
    answer: ({ socket }) => void socket.end('220 mail.example ESMTP\r\n'),
    error: /^answer is not valid HTTP/,
  },
  'sends headers without end': {
    answer: ({ socket }) => void socket.write(`${TWO_HUNDRED}${'X-Much: more\r\n'.repeat(10_000)}`),
    error: /^response headers are too large/,
  },
  'does not speak TLS': { url: (url) => url.replace('http:', 'https:'), error: /^TLS error/ },
  'has a name that does not resolve': {
    url: (url) => url.replace('127.0.0.1', 'none.test'),
    error: /^could not resolve host/,
  },
  'has a name server that does not answer': {
    url: (url) => url.replace('127.0.0.1', 'slow.test'),
    error: /^timed out after/,
  },
};

async function misbehaving(lab) {
  const kinds = Object.entries(KINDS);
  return lab.stage({ stores: kinds.length, orders: 3, preload: NAMES }, async (stage) => {
    const { writer, receiver, stores, deliverers } = stage;
    for (const [i, [, { answer, url }]] of kinds.entries()) {
      if (answer) receiver.behave(stores[i], answer);
      else
        await lab.query('update webhook_endpoints set url = $2 where store_id = $1', [
          stores[i].id,
          url(`${receiver.url}/${stores[i].id}`),
        ]);
    }
    const before = deliverers[0].rssMb;
    await writer.make(kinds.length * 3);
    await stage.quiet(60_000);
    const grown = deliverers[0].rssMb - before;
    const problems = grown > 60 ? [`the worker grew by ${grown} MiB`] : [];
    for (const [i, [name, { error }]] of kinds.entries())
      problems.push(...(await judge(lab, stores[i], name, error)));
    const done = `${kinds.length} kinds of misbehaviour; the worker grew by ${grown} MiB`;
    return { done, ...(await stage.verdict({ problems, schedule: true })) };
  });
}

async function judge(lab, store, name, expected) {
  const attempts = await lab.query(
    'select error, duration_ms, status_code from webhook_attempts where store_id = $1',
    [store.id],
  );
  const slowest = Math.max(...attempts.map(({ duration_ms }) => duration_ms));
  const other = attempts.find(({ error }) => (expected ? !expected.test(error ?? '') : error !== null));
  return [
    ...(attempts.length === 0 ? [`${name}: no attempt is on record`] : []),
    ...(other ? [`${name}: recorded as ${other.error}`] : []),
    ...(slowest > ATTEMPT_LIMIT_MS ? [`${name}: an attempt took ${slowest} ms`] : []),
  ];
}

async function redirecting(lab) {
  const statuses = [300, 301, 302, 303, 305, 307, 308];
  const canary = await Canary.start();
  try {
    return await lab.stage({ stores: statuses.length, orders: 1 }, async (stage) => {
      const { writer, receiver, stores } = stage;
      for (const [i, status] of statuses.entries()) {
        receiver.behave(
          stores[i],
          (response) =>
            void response.writeHead(status, { Location: `http://127.0.0.1:${canary.port}/` }).end(),
        );
      }
      await writer.make(statuses.length);
      await stage.quiet();
      const problems = canary.connections > 0 ? [`${canary.connections} redirects were followed`] : [];
      if (receiver.posts.length !== statuses.length * 6)
        problems.push(`${receiver.posts.length} POSTs, 6 for each expected`);
      return {
        done: `${statuses.join(', ')} to an inside address, 6 attempts each`,
        ...(await stage.verdict({ problems, schedule: true })),
      };
    });
  } finally {
    await canary.stop();
  }
}

export const faults = [
  { id: 'F14', name: 'misbehaving endpoints', run: misbehaving },
  { id: 'F17', name: 'redirects inwards', run: redirecting },
];
