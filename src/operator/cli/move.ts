import { placeOf } from '../backup/moving/both-ends.js';
import { moveStore, undoMove } from '../backup/moving/move-store.js';
import { databaseUrlProblem } from '../../platform/config/database-url.js';
import { TokenRegistry } from '../../platform/auth/token-registry.js';
import { refuseUnreachable } from '../../platform/database/installation/installation.js';
import { recordAction } from '../../platform/database/installation/operator-log.js';
import { invalidInput } from '../../platform/errors.js';
import { type CommandCall, optionalText, text } from './command.js';
import { auditIn, invite } from './in-store.js';
import { onInstallation } from './services.js';

const COMMAND = 'store move';

/** Moves a store to another installation (docs/operations.md, Moving a store). */
export async function move(call: CommandCall): Promise<object> {
  const { app, options, runtime } = call;
  const target = targetOf(call);
  await refuseUnreachable('to', target);
  const storeId = text(options.store).toLowerCase();
  const { uninvited, systemUrl, ...moved } = await moveStore(runtime, target, storeId);
  await app.get(TokenRegistry).forget(storeId);
  const { id, name, movedTo, counts, readOnlyMs } = moved;
  const readOnlySince = moved.readOnlySince.toISOString();
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const there = { ...runtime.config, databaseUrl: target, databaseDirectUrl: null, databaseReplicaUrl: null };
  const baseUrl = optionalText(options['base-url'])?.replace(/\/$/, '') ?? there.baseUrl;
  // The keys, because this installation may have none in its settings.
  const { encryptionKeys, log } = runtime;
  const invitations = await onInstallation({ ...there, baseUrl, encryptionKeys }, log, async (services) => {
    const links = await invite(services, id, uninvited);
    await auditIn(services, id, { operation: 'store.move', input: { movedFrom: placeOf(runtime.ownerUrl) } });
    return links;
  });
  const details = { rows, readOnlySince, readOnlyMs };
  const action = { command: COMMAND, target: `store:${id}` };
  await recordAction(runtime.directUrl, runtime.log, { ...action, details: { movedTo, ...details } });
  // The last step, by which a repeated command knows that nothing is left to do.
  const movedFrom = placeOf(runtime.ownerUrl);
  await recordAction(systemUrl, runtime.log, { ...action, details: { movedFrom, ...details } });
  return { id, name, movedTo, counts, invitations, readOnlyMs };
}

/** Opens a store again whose move was interrupted. */
export async function undo(call: CommandCall): Promise<object> {
  const { app, options, runtime } = call;
  const target = targetOf(call);
  const storeId = text(options.store).toLowerCase();
  const { systemUrl, ...undone } = await undoMove(runtime, target, storeId);
  await app.get(TokenRegistry).forget(storeId);
  const action = { command: COMMAND, target: `store:${storeId}` };
  const { removed } = undone;
  const log = runtime.log;
  if (systemUrl !== null && removed !== null && removed > 0)
    await recordAction(systemUrl, log, {
      ...action,
      details: { undone: true, movedFrom: placeOf(runtime.ownerUrl), removed },
    });
  await recordAction(runtime.directUrl, log, {
    ...action,
    details: { undone: true, movedTo: placeOf(target) },
  });
  return undone;
}

/** The database that the store moves to. */
function targetOf({ options }: CommandCall): string {
  const target = text(options.to);
  const problem = databaseUrlProblem(target);
  if (problem !== null) throw invalidInput(`to: ${problem}`);
  return target;
}
