import { warningInWords } from '../../api/telling/warning-words';
import { words } from '../../words';

/** Hundreds of products may be changed at once. */
const MOST_WARNINGS = 5;

/** What the service warns of. Several variants may be warned of alike. */
export function Warnings({ texts }: { texts: string[] }) {
  const all = [...new Set(texts.map(warningInWords))];
  const left = all.length - MOST_WARNINGS;
  return (
    <div>
      {all.slice(0, MOST_WARNINGS).map((text) => (
        <div key={text}>{text}</div>
      ))}
      {left > 0 && <div>{words.common.andMore(left)}</div>}
    </div>
  );
}
