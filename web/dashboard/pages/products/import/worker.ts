import {
  guessMapping,
  type FileChoices,
  type Mapping,
  mendedFile,
  planOf,
  type Problem,
  readTable,
  type Settings,
  type ShownCell,
  signatureOf,
  type Stored,
  type Table,
  wrongCells,
} from '../../../../../packages/import/src/import';

/** A table without its rows, which stay here. */
export type Head = Omit<Table, 'rows' | 'unreadable' | 'problems'> & { lines: number; signature: string };

/** What the page asks for. The file is read here, so that a large one does not freeze the page. */
export interface Requests {
  read: { asked: { bytes: Uint8Array; choices: FileChoices }; answer: { head: Head; mapping: Mapping } };
  plan: {
    asked: { mapping: Mapping; stored?: Stored; settings: Settings };
    answer: ReturnType<typeof planOf>;
  };
  cells: { asked: { problems: Problem[] }; answer: ShownCell[][] };
  mend: { asked: { problems: Problem[]; heading: string; texts: string[] }; answer: string };
}

let table: Table;
let stored: Stored;
let mapping: Mapping = [];

const answers: { [Kind in keyof Requests]: (asked: Requests[Kind]['asked']) => unknown } = {
  async read({ bytes, choices }) {
    table = await readTable(bytes, choices);
    const { rows, unreadable, problems: _, ...head } = table;
    const signature = signatureOf(table);
    return {
      head: { ...head, lines: rows.length + unreadable.length, signature },
      mapping: guessMapping(table),
    };
  },
  plan(asked) {
    stored = asked.stored ?? stored;
    mapping = asked.mapping;
    return planOf(table, mapping, stored, asked.settings);
  },
  cells: ({ problems }) => wrongCells(table, mapping, problems),
  mend({ problems, heading, texts }) {
    const said = new Map(problems.map((problem, i) => [problem, texts[i]]));
    return mendedFile(table, problems, heading, (problem) => said.get(problem)!);
  },
};

interface Asked {
  id: number;
  kind: keyof Requests;
  asked: never;
}

addEventListener('message', ({ data: { id, kind, asked } }: MessageEvent<Asked>) => {
  const post = (message: object) => (self as unknown as Worker).postMessage({ id, ...message });
  Promise.resolve()
    .then(() => answers[kind](asked))
    .then(
      (answer) => post({ answer }),
      (error: Error & { code?: string }) => post({ error: error.code ?? String(error) }),
    );
});
