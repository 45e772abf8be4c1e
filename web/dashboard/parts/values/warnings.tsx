import type { Sentence } from '../../../../src/platform/problems';
import { warningInWords } from '../../api/telling/warning-words';
import { words } from '../../words';

/** Hundreds of products may be changed at once. */
const MOST_WARNINGS = 5;

/** What the service warns of. Several variants may be warned of alike. */
export function Warnings({ all }: { all: Sentence[] }) {
  const texts = [...new Set(all.map(warningInWords))];
  const left = texts.length - MOST_WARNINGS;
  return (
    <div>
      {texts.slice(0, MOST_WARNINGS).map((text) => (
        <div key={text}>{text}</div>
      ))}
      {left > 0 && <div>{words.common.andMore(left)}</div>}
    </div>
  );
}
