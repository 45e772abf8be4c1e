import type { Command, Commands, Declarations } from './command.js';

/** Options that every command has. */
const ALWAYS = ['--json', '--help'];

/** What may follow each beginning of a command: the next words, or the options of a whole command. */
function continuations(commands: Declarations): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>();
  const add = (words: string[], word: string) => {
    const line = words.join(' ');
    next.set(line, (next.get(line) ?? new Set()).add(word));
  };
  for (const name of ['help', ...Object.keys(commands)]) {
    const words = name.split(' ');
    words.forEach((word, i) => add(words.slice(0, i), word));
    for (const option of commands[name]?.options ?? []) add(words, `--${option.name}`);
    for (const option of ALWAYS) add(words, option);
  }
  return next;
}

const casesOf = (commands: Declarations): string =>
  [...continuations(commands)]
    .map(([line, words]) => `    '${line}') next=(${[...words].map((word) => `'${word}'`).join(' ')}) ;;`)
    .join('\n');

const BASH = (cases: string) => `_shop() {
  local line='' word next=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    line="\${line:+$line }$word"
  done
  case "$line" in
${cases}
  esac
  COMPREPLY=($(compgen -W "\${next[*]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _shop shop`;

const ZSH = (cases: string) => `_shop() {
  local line='' word
  local -a next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && break
    line="\${line:+$line }$word"
  done
  case "$line" in
${cases}
  esac
  compadd -- "\${next[@]}"
}
compdef _shop shop`;

/** A script that completes commands and options, without running this program again. */
function completionFor(shell: 'bash' | 'zsh', commands: Declarations): string {
  const cases = casesOf(commands);
  return shell === 'bash' ? BASH(cases) : ZSH(cases);
}

export const COMMANDS: Commands<Command> = {
  'completion bash': {
    summary:
      'Print the completion for bash: eval "$(shop completion bash)", where shop runs this command line.',
    options: [],
    offline: true,
    run: async ({ declarations }) => completionFor('bash', await declarations()),
  },
  'completion zsh': {
    summary: 'Print the completion for zsh: eval "$(shop completion zsh)".',
    options: [],
    offline: true,
    run: async ({ declarations }) => completionFor('zsh', await declarations()),
  },
};
