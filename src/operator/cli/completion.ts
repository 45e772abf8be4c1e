import type { Command } from 'commander';
import type { Commands, OfflineCommand } from './command.js';

/** What may follow each beginning of a command: its next words and its options. */
function casesOf(command: Command, line = ''): string {
  const [help, begun] = [command.createHelp(), line === '' ? '' : `${line} `];
  const words = help.visibleCommands(command).map((next) => next.name());
  const options = help.visibleOptions(command).map(({ long }) => long);
  const own = `    '${line}') next=(${[...words, ...options].map((word) => `'${word}'`).join(' ')}) ;;`;
  return [own, ...command.commands.map((next) => casesOf(next, begun + next.name()))].join('\n');
}

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

/** Scripts that complete commands and options, without running this program again. */
export const COMMANDS = {
  'completion bash': { offline: true, run: async ({ shop }) => BASH(casesOf(shop)) },
  'completion zsh': { offline: true, run: async ({ shop }) => ZSH(casesOf(shop)) },
} satisfies Commands<OfflineCommand>;
