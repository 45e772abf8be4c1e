import { handleInterruptions, interruption } from './operator/cli/interruption.js';
import { runCommand } from './operator/cli/run-command.js';

void runCommand(process.argv.slice(2), process, handleInterruptions).then(
  (code) => interruption() ?? process.exit(code),
);
