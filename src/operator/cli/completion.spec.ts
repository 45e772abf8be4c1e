import { execFileSync } from 'node:child_process';
import type { Declarations } from './command.js';
import { COMMANDS } from './completion.js';

describe('the completion for bash', () => {
  const declarations = (): Promise<Declarations> =>
    Promise.resolve({
      'store list': { summary: '', options: [{ name: 'search', value: 'TEXT' }] },
      'store suspend': { summary: '', options: [] },
      doctor: { summary: '', options: [] },
    });
  let script: string;
  beforeAll(async () => {
    const command = COMMANDS['completion bash'];
    script = (await command.run({ options: {}, declarations } as never)) as string;
  });

  /** What bash would offer after `shop` and these words, of which the last is being typed. */
  const offered = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=(shop "$@"); COMP_CWORD=$#; _shop; printf '%s\\n' "\${COMPREPLY[@]}"`,
        '',
        ...words,
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n');

  it.each([
    [[''], ['help', 'store', 'doctor']],
    [['store', 's'], ['suspend']],
    [
      ['store', 'list', '--'],
      ['--search', '--json', '--help'],
    ],
    [['store', 'list', '--search', 'x', '--j'], ['--json']],
    [['nobody', ''], ['']],
  ])('offers what may follow %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});
