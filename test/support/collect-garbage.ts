import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** What nothing refers to is forgotten, as some time or other in a process that runs for long. */
export const collectGarbage = runInNewContext('gc') as () => void;
