import { type Rotation, rotateKeys } from '../../../platform/database/installation/key-rotation.js';
import { SystemDatabase } from '../../../platform/database/system.js';
import type { Commands } from '../command.js';
// Each module declares its sealed columns, so all modules must be loaded.
import '../../../start/app.module.js';

export const COMMANDS = {
  'keys rotate': {
    recorded: (_, { resealed, retiredKeys }: Rotation) => ({ details: { resealed, retiredKeys } }),
    run: ({ app, runtime }) => rotateKeys(app.get(SystemDatabase), runtime.ownerUrl, runtime.encryptionKeys),
  },
} satisfies Commands;
