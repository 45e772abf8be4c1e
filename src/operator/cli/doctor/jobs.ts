import type pg from 'pg';
import { JOBS, WRITTEN_MS } from '../../../jobs/job-list.js';
import { systemStatement } from '../../../platform/database/statement.js';
import { runOn } from '../../../platform/database/system.js';
import { type Check, fine, warning } from './report.js';

/** `ago`: seconds since the run. `behind`: by how many the newest run of any job is later. */
const LAST_RUNS = systemStatement(
  'doctor_last_runs',
  `select name, extract(epoch from now() - ran_at)::float8 as "ago!",
    extract(epoch from max(ran_at) over () - ran_at)::float8 as "behind!", duration_ms, error from job_runs`,
);

/** Every job has had its first turn by then. */
const SETTLED_SECONDS = 120;

/**
 * Reports the last outcome of each job, by whichever process. Jobs are late by the newest run of any of them,
 * because while the service is stopped all are late alike; and only once it has run for a while, which is as
 * long as the jobs of its start are older than that run.
 */
export async function checkJobs(client: pg.Client): Promise<Check[]> {
  const rows = await runOn(client, LAST_RUNS);
  const atStart = JOBS.flatMap(({ firstMs, name }) => (firstMs === 0 ? name : []));
  const started = rows.filter(({ name }) => atStart.includes(name)).map(({ behind }) => behind);
  const isSettled = Math.min(...started) > SETTLED_SECONDS;
  return JOBS.map(({ name, periodMs }) => {
    const seconds = periodMs / 1000;
    const [job, last] = [`${name}, every ${span(seconds)}`, rows.find((row) => row.name === name)];
    if (!last) return fine('jobs', `${job}: has not run yet.`);
    if (last.error !== null)
      return warning(
        'jobs',
        `${job}: failed ${span(last.ago)} ago: ${last.error}`,
        'The log has the cause; the next run tries again.',
      );
    if (isSettled && last.behind > 3 * seconds + 60)
      return warning(
        'jobs',
        `${job}: last ran ${span(last.ago)} ago.`,
        'Look at the log of the service, and restart it.',
      );
    // Its later successes are not all written down.
    const least = periodMs < WRITTEN_MS ? ' or less' : '';
    return fine('jobs', `${job}: succeeded ${span(last.ago)} ago${least}, in ${last.duration_ms} ms.`);
  });
}

const span = (seconds: number) =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;
