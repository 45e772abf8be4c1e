// How processes of the service share their connections, each of which is a process of the database.

/** src/platform/database/connections/read-connections.ts */
const QUEUE = 32;
const MOVING = 2_000;

/**
 * Short reads, one behind the other: of connections that are free or moving the first, so that few are busy.
 */
export class ReadConnections {
  #connections;

  /** @param backends processes of the database */
  constructor(calendar, backends) {
    this.calendar = calendar;
    this.#connections = backends.map((backend) => ({ backend, waiting: 0, movedAt: -Infinity }));
  }

  /** @param work is called with the backend, and with what it has to call once the answer has been read */
  take(work) {
    const connection = this.#pick();
    if (connection.waiting++ === 0) connection.movedAt = this.calendar.now;
    work(connection.backend, () => {
      connection.waiting--;
      connection.movedAt = this.calendar.now;
    });
  }

  #pick() {
    const isMoving = ({ movedAt }) => this.calendar.now - movedAt < MOVING;
    let best = this.#connections[0];
    for (const connection of this.#connections) {
      if (connection.waiting === 0 || (connection.waiting < QUEUE && isMoving(connection))) return connection;
      if (isMoving(connection) === isMoving(best) ? connection.waiting < best.waiting : isMoving(connection))
        best = connection;
    }
    return best;
  }
}

/**
 * One statement after the other on each: who finds none waits, and the one that came back last goes out
 * first.
 */
export class Pool {
  #idle;
  #waiting = [];

  constructor(backends) {
    this.#idle = backends;
  }

  /** @param work is called with the backend, and with what gives it back */
  take(work) {
    const backend = this.#idle.pop();
    if (!backend) return this.#waiting.push(work);
    work(backend, () => {
      this.#idle.push(backend);
      const next = this.#waiting.shift();
      if (next) this.take(next);
    });
  }
}

/** What comes while something is under way goes together afterwards: rings, claims, records of attempts. */
export class Gathering {
  #waiting = 0;
  #isUnderWay = false;

  /** @param work is called with how many go together, and with what it has to call in the end */
  constructor(work) {
    this.work = work;
  }

  add(many) {
    this.#waiting += many;
    if (this.#isUnderWay || this.#waiting === 0) return;
    this.#isUnderWay = true;
    const together = this.#waiting;
    this.#waiting = 0;
    this.work(together, () => {
      this.#isUnderWay = false;
      this.add(0);
    });
  }
}
