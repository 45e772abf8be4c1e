import { listActions } from '../../../platform/database/installation/operator-log.js';
import { SystemDatabase } from '../../../platform/database/system.js';
import { invalidInput } from '../../../platform/errors.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { type Commands, optionalText } from '../command.js';

export const COMMANDS = {
  'operator log': {
    run: ({ app, options }) => {
      const since = optionalText(options.since);
      if (since !== undefined && !isDateTime(since))
        throw invalidInput('since must be a date and time, such as 2026-03-01T10:00:00Z');
      return listActions(app.get(SystemDatabase), since === undefined ? null : new Date(since));
    },
  },
} satisfies Commands;
