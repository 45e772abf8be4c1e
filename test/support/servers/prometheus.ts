import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

/** Values by series, `name{label="value"}`. */
export type Scrape = Map<string, number>;

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** The series that Prometheus reads from one process's /metrics, with the labels that it adds itself. */
export function scrape(text: string, instance = 'one:9464'): Scrape {
  const own = `job="shop",instance="${instance}"`;
  const series: Scrape = new Map([[`up{${own}}`, 1]]);
  for (const line of text.split('\n')) {
    const [, name, labels, value] = SAMPLE.exec(line) ?? [];
    if (name) series.set(`${name}{${labels ? `${labels},` : ''}${own}}`, Number(value));
  }
  return series;
}

/** The names of the metrics in a text of /metrics, with the three further names of each histogram. */
export function figuresIn(text: string): Set<string> {
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Set(
    types.flatMap(([, name, type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
}

/** The metrics that an expression reads. */
export function figuresOf(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\b(?:by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  return [...new Set([...bare.matchAll(/\b((?:shop|nodejs|process)_\w+|up)\b/g)].map(([, name]) => name))];
}

interface Rule {
  alert: string;
  expr: string;
  for?: string;
}

export const groupsIn = (file: string): { rules: Rule[] }[] => parse(readFileSync(file, 'utf8')).groups;

export interface Course {
  alert: string;
  /** The scrapes, a minute apart. After them the last one repeats, with counters rising as they did last. */
  scrapes: Scrape[];
  /** The minute at which to check whether the alert fires. */
  minutes: number;
}

/**
 * Lets promtool evaluate each course by the rule of its alert alone: some courses go over days. @returns the
 * alerts that fire
 */
export async function firing(file: string, courses: Course[], figures: string[]): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-rules-'));
  const write = (name: string, content: object) => {
    // JSON is valid YAML.
    writeFileSync(path.join(folder, name), JSON.stringify(content));
    return name;
  };
  const files = courses.map((course, i) => {
    const own = groupsIn(file).map((group) => ({
      ...group,
      rules: group.rules.filter(({ alert }) => alert === course.alert),
    }));
    const rule_files = [write(`${i}.rules.json`, { groups: own })];
    return write(`${i}.json`, { rule_files, evaluation_interval: '1m', tests: [testOf(course, figures)] });
  });
  try {
    // The tests expect that nothing fires, and promtool reports what fired instead.
    const run = promisify(execFile)('promtool', ['test', 'rules', ...files], { cwd: folder });
    const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => ({
      stdout: error.stdout + error.stderr,
    }));
    const fired = [...stdout.matchAll(/got: .*alertname="(\w+)"/g)].map(([, alert]) => alert);
    const silent = stdout.match(/SUCCESS/g)?.length ?? 0;
    if (fired.length + silent !== courses.length) throw new Error(stdout);
    return courses.map(({ alert }) => alert).filter((alert) => fired.includes(alert));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function testOf({ alert, scrapes, minutes }: Course, figures: string[]) {
  const names = [...new Set(scrapes.flatMap((one) => [...one.keys()]))].filter((series) =>
    figures.includes(series.split('{')[0]),
  );
  return {
    interval: '1m',
    input_series: names.map((series) => ({ series, values: valuesOf(series, scrapes, minutes) })),
    promql_expr_test: [
      {
        expr: `ALERTS{alertname="${alert}",alertstate="firing"}`,
        eval_time: `${minutes}m`,
        exp_samples: [],
      },
    ],
  };
}

function valuesOf(series: string, scrapes: Scrape[], minutes: number): string {
  const seen = scrapes.map((one) => one.get(series) ?? null);
  const last = seen.at(-1)!;
  const step = /_(total|count|sum|bucket)\{/.test(series) ? (last ?? 0) - (seen.at(-2) ?? 0) : 0;
  const goesOn = last === null ? `_x${minutes}` : `${last}+${step}x${minutes}`;
  return [...seen.slice(0, -1).map((value) => value ?? '_'), goesOn].join(' ');
}
