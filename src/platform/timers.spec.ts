import { setImmediate as nextTurn } from 'node:timers/promises';
import { longTurn } from './timers.js';

const PIECE_MS = 20;

describe('pieces of long work', () => {
  it('are done one at a time, and others have the event loop between any two', async () => {
    const done: string[] = [];
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await nextTurn();
        done.push('other');
      }
    })();
    const long = async (name: string) => {
      for (let piece = 0; piece < 3; piece++) {
        await longTurn();
        done.push(name);
        const until = performance.now() + PIECE_MS;
        while (performance.now() < until);
      }
    };
    await Promise.all([long('a'), long('b')]);
    isOver = true;
    await others;
    const seen = done.filter((name, i) => name !== 'other' || done[i - 1] !== 'other');
    expect(seen.filter((name) => name !== 'other').join('')).toBe('ababab');
    expect(seen.slice(seen.indexOf('a'))).toEqual(
      ['a', 'b', 'a', 'b', 'a', 'b'].flatMap((name) => [name, 'other']),
    );
  });
});
