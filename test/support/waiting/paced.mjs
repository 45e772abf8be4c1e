import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The pace of made load, of a slow receiver or of a fault: time that must pass for what is tested to happen.
 * What can be asked for is waited for with `eventually`: on a busy machine no time is long enough.
 */
export const paced = (milliseconds) => sleep(milliseconds);

/** An endpoint that takes so many milliseconds for each answer. */
export const answersAfter =
  (milliseconds, status = 204) =>
  (response) =>
    void sleep(milliseconds).then(() => response.writeHead(status).end());
