import { readable } from './readable.js';

const time = '2026-11-28T15:00:36.983Z';
const at = new Date(time).toTimeString().slice(0, 8);
const line = (fields: object) => readable(`${JSON.stringify({ level: 30, time, ...fields })}\n`);

describe('a line of the log on a terminal', () => {
  it('has the time, the level, what happened and the fields', () => {
    expect(line({ signal: 'SIGTERM', delayMs: 0, store: null, msg: 'stopping' })).toBe(
      `${at} info  stopping signal=SIGTERM delayMs=0 store=null\n`,
    );
    expect(line({ level: 40, details: { free: [1, 2] }, path: 'a b', msg: 'scarce' })).toBe(
      `${at} warn  scarce details={"free":[1,2]} path="a b"\n`,
    );
  });

  it('says of an error what it is and where it comes from', () => {
    const err = {
      type: 'Error',
      message: 'gone',
      code: 'X1',
      stack: 'Error: gone\n    at a (b.js:1)\n    at c',
    };
    expect(line({ level: 50, err, msg: 'failed' })).toBe(`${at} error failed gone (X1) at a (b.js:1)\n`);
  });

  it('is one line, whatever it is about, and cannot move the cursor', () => {
    expect(line({ agent: 'a\u001b[2Jb\u009b', msg: 'one\ntwo\u202e' })).toBe(
      `${at} info  one\\ntwo\\u202e agent=a\\u001b[2Jb\\u009b\n`,
    );
  });
});
