/** The metrics of one process, as its own /metrics shows them. */
export interface ProcessFigures {
  /** Starts at 1. A process that replaces another one gets its number. */
  process: number;
  text: string;
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (.*)$/;

/**
 * The metrics of several processes as one text. Each series gets the label `process`, and the series of one
 * metric are grouped, as Prometheus requires. Nothing is added up, so that the restart of a process is
 * visible.
 */
export function joinFigures(all: ProcessFigures[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>();
  for (const { process, text } of all) {
    let family = { head: [] as string[], samples: [] as string[] };
    for (const line of text.split('\n')) {
      const [, kind, name] = /^# (HELP|TYPE) (\w+)/.exec(line) ?? [];
      if (kind === 'HELP') {
        family = families.get(name) ?? { head: [line], samples: [] };
        families.set(name, family);
      } else if (kind === 'TYPE') {
        if (family.head.length === 1) family.head.push(line);
      } else if (line !== '') {
        family.samples.push(
          line.replace(
            SAMPLE,
            (_, figure, labels = '', value) =>
              `${figure}{${labels}${labels && ','}process="${process}"} ${value}`,
          ),
        );
      }
    }
  }
  return [...families.values()]
    .map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`)
    .join('\n');
}
