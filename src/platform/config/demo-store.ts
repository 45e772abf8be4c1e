import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The demo store of an installation for development, and the shopper whom its shop shows in a browser. */
export interface DemoStorePlace {
  storeId: string;
  shopper: { id: string; firstName: string; username: string | null };
}

const fileIn = (dataDir: string) => path.join(dataDir, 'demo.json');

export const keepDemoStore = (dataDir: string, place: DemoStorePlace) =>
  writeFileSync(fileIn(dataDir), JSON.stringify(place));

/** Null if no start has made a demo store here. */
export function readDemoStore(dataDir: string): DemoStorePlace | null {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as DemoStorePlace;
  } catch {
    return null;
  }
}
