import type { Commands, OfflineCommand } from '../command.js';
import { examine } from '../doctor/doctor.js';
import type { Report } from '../doctor/report.js';

export const COMMANDS = {
  doctor: {
    offline: true,
    run: ({ at }) => examine(at),
    hasFailed: (report: Report) => !report.ok,
  },
} satisfies Commands<OfflineCommand>;
