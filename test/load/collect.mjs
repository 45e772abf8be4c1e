// Loaded first by the service: collects garbage when told, so that its RSS is what it holds and not what V8
// has not looked at yet.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());
