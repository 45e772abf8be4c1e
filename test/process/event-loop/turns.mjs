// Loaded into the service before anything else (--import): measures the longest turn of its event loop, in
// processor time of the main thread, so that neither other processes nor the threads of the garbage collector
// and the compiler count. Where the kernel does not tell that (it takes Linux), the processor time of the
// whole process stands in for it.
import { openSync, readSync } from 'node:fs';

const bytes = Buffer.alloc(64);
const ofThread = () => {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  return () =>
    Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ', 1)[0]) / 1e6;
};
const ofProcess = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
const processorMs = process.platform === 'linux' ? ofThread() : ofProcess;

let longest = 0;
let isWatching = false;
let turnBegan = 0;

function turn() {
  const now = processorMs();
  longest = Math.max(longest, now - turnBegan);
  turnBegan = now;
  if (isWatching) setImmediate(turn);
}

process.on('message', (message) => {
  if (message === 'watch') {
    [isWatching, longest, turnBegan] = [true, 0, processorMs()];
    setImmediate(turn);
    process.send({ watching: true });
  } else {
    isWatching = false;
    turn();
    process.send({ longest });
  }
});
process.channel.unref();
