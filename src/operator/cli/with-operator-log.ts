import { recordAction } from '../../platform/database/installation/operator-log.js';
import { SystemDatabase } from '../../platform/database/system.js';
import type { CommandCall, OnlineCommand } from './command.js';

/** Runs a command, and records it in the operator log if it is one that is recorded. */
export async function runRecorded(name: string, command: OnlineCommand, call: CommandCall): Promise<unknown> {
  const result = await command.run(call);
  const action = command.recorded?.(call.options, result as never);
  if (action)
    await recordAction(call.app.get(SystemDatabase), call.runtime.log, { command: name, ...action });
  return result;
}
