import type { Command, Commands } from '../command.js';
import { examine } from '../doctor/doctor.js';
import type { Report } from '../doctor/report.js';

export const COMMANDS: Commands<Command> = {
  doctor: {
    summary:
      'Report what is wrong or missing in this installation, and how to fix it. Changes nothing; exit code ' +
      '1 for an error.',
    options: [],
    offline: true,
    run: ({ at }) => examine(at),
    hasFailed: (report: Report) => !report.ok,
  },
};
