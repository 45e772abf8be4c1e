import { Alert, Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Problem } from '../../../../../packages/import/src/problem';
import type { ShownCell } from '../../../../../packages/import/src/reading/wrong-cells';
import { itemInWords } from '../../../api/telling/in-words';
import { notifyFailed } from '../../../notify';
import { DownloadIcon } from '../../../parts/icons';
import { words } from '../../../words/all';
import type { Reader } from './reader';

/** Longer lists would take a phone seconds to draw. */
const SHOWN = 200;

/** What is wrong with a line, in the reader's language. */
export function problemInWords({ code, column, value = '', told }: Problem): string {
  const text =
    code === 'refused' ? itemInWords({ message: value, ...told }) : words.imports.problems[code](value);
  return column ? `${column}: ${text}` : text;
}

/** The lines that are left out, the wrong cell marked, and the same as a file to mend. */
export function Problems({ problems, reader }: { problems: Problem[]; reader: Reader }) {
  const { imports, common } = words;
  const cells = useCells(problems, reader);
  if (problems.length === 0) return null;
  const download = () => {
    const texts = problems.map(problemInWords);
    reader.ask('mend', { problems, heading: imports.problem, texts }).then(save, notifyFailed);
  };
  return (
    <Alert
      color="red"
      role="alert"
      tabIndex={-1}
      title={imports.leftOut(new Set(problems.map(({ line }) => line)).size)}
    >
      <ul className="plain-list">
        {problems.slice(0, SHOWN).map((problem, i) => (
          <li key={i}>
            {imports.line(problem.line)}: {problemInWords(problem)}
            {cells[i] && <Cells cells={cells[i]} />}
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && <Text size="sm">{common.andMore(problems.length - SHOWN)}</Text>}
      <Button size="compact-sm" variant="default" mt="xs" leftSection={<DownloadIcon />} onClick={download}>
        {imports.mend}
      </Button>
    </Alert>
  );
}

/** The cells of the lines that are shown, once they have been read. */
function useCells(problems: Problem[], reader: Reader): ShownCell[][] {
  const [cells, setCells] = useState<ShownCell[][]>([]);
  const { length } = problems;
  useEffect(() => {
    if (length === 0) return undefined;
    let isOld = false;
    const shown = problems.slice(0, SHOWN);
    reader.ask('cells', { problems: shown }).then((found) => isOld || setCells(found), notifyFailed);
    return () => void (isOld = true);
    // Problems are only added.
  }, [length, reader]);
  return cells;
}

/** Longer texts are seen in the file. */
const MOST_OF_CELL = 40;

function Cells({ cells }: { cells: ShownCell[] }) {
  return (
    <div className="import-cells">
      {cells.map(({ heading, text, isWrong }, i) => {
        const short = text.length > MOST_OF_CELL ? `${text.slice(0, MOST_OF_CELL)}…` : text || '–';
        const Tag = isWrong ? 'mark' : 'span';
        return (
          <Tag key={i} title={heading}>
            {short}
          </Tag>
        );
      })}
    </div>
  );
}

function save(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = 'problems.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
