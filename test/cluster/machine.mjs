import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { end } from '../faults/suite/servers.mjs';

const BRIDGE = 'machines';
const NETWORK = '10.88.0';
/** Where the machines reach the suite. */
export const OUTSIDE = `${NETWORK}.1`;

const ip = (...args) => execFileSync('ip', args);

/** The network that the machines stand in. It is there once, in the suite's own namespace. */
export function layNetwork() {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${OUTSIDE}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
}

/**
 * A machine as far as the network goes: an address of its own, and a cable that can be pulled out. Its
 * processes are those in its namespace.
 */
export class Machine {
  #holder;
  #cable;

  static async create(number) {
    const machine = new Machine();
    machine.name = `machine${number}`;
    machine.address = `${NETWORK}.${10 + number}`;
    machine.#cable = `cable${number}`;
    machine.#holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec sleep infinity'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve, reject) => {
      machine.#holder.stdout.once('data', resolve);
      machine.#holder.once('exit', () => reject(new Error('no network namespace could be made')));
    });
    ip(
      'link',
      'add',
      machine.#cable,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      String(machine.#holder.pid),
    );
    ip('link', 'set', machine.#cable, 'master', BRIDGE, 'up');
    for (const command of ['link set lo up', `addr add ${machine.address}/24 dev eth0`, 'link set eth0 up']) {
      const [file, ...args] = machine.#inside('ip', ...command.split(' '));
      execFileSync(file, args);
    }
    return machine;
  }

  #inside(...command) {
    return ['nsenter', `--net=/proc/${this.#holder.pid}/ns/net`, ...command];
  }

  /** Starts a program on it. */
  spawn(command, options) {
    const [file, ...args] = this.#inside(...command);
    return spawn(file, args, options);
  }

  /** Sends a signal to every process on it. */
  signal(signal) {
    const own = readlinkSync(`/proc/${this.#holder.pid}/ns/net`);
    const isHere = (pid) => {
      try {
        return readlinkSync(`/proc/${pid}/ns/net`) === own;
      } catch {
        return false;
      }
    };
    const pids = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && Number(name) !== this.#holder.pid,
    );
    for (const pid of pids.filter(isHere)) {
      try {
        process.kill(Number(pid), signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
  }

  /** What is sent from it, or to it, arrives nowhere and is not refused either. */
  pullCable() {
    ip('link', 'set', this.#cable, 'down');
  }

  plugCable() {
    ip('link', 'set', this.#cable, 'up');
  }

  async stop() {
    this.signal('SIGKILL');
    await end(this.#holder, 'SIGKILL');
  }
}
