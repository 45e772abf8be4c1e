// The command line runs what was built; in a fresh clone it builds first. Nothing on standard output: that is the command's.
import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync('dist/src/cli.js')) execSync('npm run --silent build', { stdio: ['ignore', 2, 2] });
