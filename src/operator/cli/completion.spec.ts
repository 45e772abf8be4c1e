import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { COMMANDS } from './completion.js';

describe('the completion for bash', () => {
  let script: string;
  beforeAll(async () => {
    const shop = new Command('shop');
    shop.command('store').command('list').option('--search <TEXT>');
    shop.commands[0].helpCommand(false).command('suspend');
    shop.command('doctor');
    script = await COMMANDS['completion bash'].run({ options: {}, shop, at: process });
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
    [[''], ['store', 'doctor', 'help', '--help']],
    [['store', 's'], ['suspend']],
    [
      ['store', 'list', '--'],
      ['--search', '--help'],
    ],
    [['store', 'list', '--search', 'x', '--h'], ['--help']],
    [['nobody', ''], ['']],
  ])('offers what may follow %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});
