import type { Told } from '../../../src/platform/problems';

/** The error of a call that the service refused, or that could not reach the service. */
export class Refusal extends Error {
  constructor(
    /** The service's error code, or `unreachable` if there was no response. */
    readonly code: string,
    message: string,
    /** The request id, for which support asks. */
    readonly requestId: string | null = null,
    /** Seconds until the same call may be made again. */
    readonly retryAfter: number | null = null,
    /** What is wrong, to be put into words. */
    readonly told: Told = { problem: code, values: {} },
  ) {
    super(message);
  }
}

/** The single problems. */
export const problemsOf = ({ problem, values }: Told): Told[] =>
  problem === 'several' ? (values.problems as Told[]) : [{ problem, values }];
