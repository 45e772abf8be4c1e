import { statfs } from 'node:fs/promises';

/** Less than this part of a disk is scarce. */
const SCARCE = 0.1;

/** In bytes. */
interface DiskSpace {
  free: number;
  size: number;
}

/** The disk of a folder: its size, and what is free for programs that do not run as root. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

export const isScarce = ({ free, size }: DiskSpace): boolean => free < SCARCE * size;
