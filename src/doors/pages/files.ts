import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file in memory, with the compressed variants that the build has written beside it. */
export interface ServedFile {
  type: string;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** The files directly in a folder that are served to browsers, by name; empty if there is no such folder. */
export function readFiles(folder: string): Map<string, ServedFile> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => path.extname(name) in TYPES) : [];
  return new Map(names.map((name) => [name, readWithVariants(path.join(folder, name))]));
}

function readWithVariants(file: string): ServedFile {
  const variant = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : undefined);
  return {
    type: TYPES[path.extname(file)],
    plain: readFileSync(file),
    br: variant('.br'),
    gzip: variant('.gz'),
  };
}
