// Tools that weigh hundreds of megabytes are no dependencies: a test installs them when it first needs them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Installs packages into a folder, unless it has just these.
 * @param packages names with exact versions
 */
export function installTools(folder, packages) {
  const marker = path.join(folder, 'installed.json');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === JSON.stringify(packages)) return;
  process.stdout.write(`installing ${packages.join(', ')}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  const options = ['--no-audit', '--no-fund', '--no-save', '--loglevel', 'error', '--prefix', folder];
  execFileSync('npm', ['install', ...options, ...packages], { stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(marker, JSON.stringify(packages));
}
