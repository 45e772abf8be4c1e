/** The figures of one process, as its own /metrics shows them. */
export interface ProcessFigures {
  /** From 1; a process that takes another's place has its number. */
  process: number;
  text: string;
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (.*)$/;

/**
 * The figures of several processes as one text: each series gets the label `process`, and the series of one figure stand together,
 * as Prometheus wants them. Nothing is added up, so that a process which starts anew is seen to do so.
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
            (_, figure, labels = '', value) => `${figure}{${labels}${labels && ','}process="${process}"} ${value}`,
          ),
        );
      }
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('\n');
}
