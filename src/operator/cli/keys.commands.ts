import { rotateKeys } from '../../platform/database/key-rotation.js';
import { SystemDatabase } from '../../platform/database/system.js';
import type { Commands } from './command.js';
// Each module declares which of its columns are sealed: all of them must have been read.
import '../../app.module.js';

export const COMMANDS: Commands = {
  'keys rotate': {
    summary: 'Seal every secret with the first key of ENCRYPTION_KEY; the others may be removed from it afterwards.',
    options: [],
    run: ({ app, runtime }) => rotateKeys(app.get(SystemDatabase), runtime.ownerUrl, runtime.encryptionKeys),
  },
};
