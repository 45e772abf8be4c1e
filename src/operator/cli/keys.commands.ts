import { rotateKeys } from '../../platform/database/key-rotation.js';
import { SystemDatabase } from '../../platform/database/system.js';
import type { OnlineCommand } from './commands.js';

export const KEYS_COMMANDS: Record<string, OnlineCommand> = {
  'keys rotate': {
    summary: 'Seal every secret with the first key of ENCRYPTION_KEY; the others may be removed from it afterwards.',
    options: [],
    run: ({ app, runtime }) => rotateKeys(app.get(SystemDatabase), runtime.ownerUrl, runtime.encryptionKeys),
  },
};
