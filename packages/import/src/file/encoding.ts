/** The encodings that files of shops come in, apart from UTF-8 and UTF-16. */
export const ENCODINGS = ['windows-1252', 'windows-1251', 'windows-1250', 'koi8-u'] as const;

/** Letters of the languages that each encoding is used for, beyond ASCII. */
const LETTERS: Record<(typeof ENCODINGS)[number], string> = {
  'windows-1252': 'äöüßàâæçéèêëîïôœùûÿñáíóúãõåøìò',
  'windows-1251': 'абвгґдеєёжзиіїйклмнопрстуфхцчшщъыьэюяў',
  'windows-1250': 'ąćęłńóśźżäöüßáčďéěíňřšťúůýžőűĺľŕôăâîșț',
  'koi8-u': 'абвгґдеєёжзиіїйклмнопрстуфхцчшщъыьэюяў',
};
/** What texts have besides letters: quotation marks, dashes, signs of money. */
const SIGNS = '«»„“”‘’–—…№°€£§·•×™®©\u00A0';
/** How much of a file is looked at. */
const LOOKED_AT = 200_000;
/** From this part of the best score on, another encoding is a reading that may be meant as well. */
const CLOSE = 0.7;

export interface Decoded {
  text: string;
  encoding: string;
  /** Whether the bytes leave no doubt. */
  isSure: boolean;
}

/** Reads the bytes of a text. @param encoding as a person chose it, if they did */
export function decoded(bytes: Uint8Array, encoding?: string): Decoded {
  if (encoding) return { text: new TextDecoder(encoding).decode(bytes), encoding, isSure: true };
  return guessed(bytes);
}

function guessed(bytes: Uint8Array): Decoded {
  const unicode = unicodeOf(bytes);
  if (unicode) return { text: new TextDecoder(unicode).decode(bytes), encoding: unicode, isSure: true };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, encoding: 'utf-8', isSure: true };
  } catch {
    return likeliest(bytes);
  }
}

/** UTF-16 and UTF-8 by their marks, and UTF-16 without one by its many zeros. */
function unicodeOf(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  const head = bytes.subarray(0, 1_000);
  const zerosAt = (odd: number) => head.filter((byte, i) => byte === 0 && i % 2 === odd).length;
  if (zerosAt(1) > head.length / 8) return 'utf-16le';
  return zerosAt(0) > head.length / 8 ? 'utf-16be' : null;
}

function likeliest(bytes: Uint8Array): Decoded {
  const head = bytes.subarray(0, LOOKED_AT);
  const scored = ENCODINGS.map((encoding) => {
    const sample = new TextDecoder(encoding).decode(head);
    return { encoding, sample, score: scoreOf(sample, LETTERS[encoding]) };
  }).sort((one, other) => other.score - one.score);
  const [best, ...others] = scored;
  const isSure = others.every(({ sample, score }) => sample === best.sample || score < best.score * CLOSE);
  return { text: new TextDecoder(best.encoding).decode(bytes), encoding: best.encoding, isSure };
}

const LATIN = /[a-zß-öø-ž]/iu;
const CYRILLIC = /\p{Script=Cyrillic}/u;

/** How much a text looks like one of a language with these letters. */
function scoreOf(text: string, letters: string): number {
  const usual = new Set(letters + letters.toUpperCase());
  let score = 0;
  for (const [word] of text.matchAll(/[^\s\p{ASCII}]*[^\s,;|"'.:()/-]+/gu)) {
    const foreign = [...word].filter((sign) => sign > '\u007F');
    if (foreign.length === 0) continue;
    for (const sign of foreign) score += usual.has(sign) ? 1 : SIGNS.includes(sign) ? 0.2 : -3;
    if (LATIN.test(word) && CYRILLIC.test(word)) score -= 3;
    // No language of Latin letters has words of accented ones alone.
    const isAccented = foreign.length > 2 && foreign.length > word.length / 2 && !CYRILLIC.test(word);
    if (isAccented || /\p{Ll}\p{Lu}/u.test(word)) score -= 2 * foreign.length;
  }
  return score;
}

/** The first lines of a text in each encoding that a person may choose; none for Unicode. */
export function readingsOf(bytes: Uint8Array, lines = 4): { encoding: string; text: string }[] {
  if (guessed(bytes).encoding.startsWith('utf')) return [];
  const head = bytes.subarray(0, 4_000);
  return ENCODINGS.map((encoding) => ({
    encoding,
    text: new TextDecoder(encoding)
      .decode(head)
      .split(/\r\n|\r|\n/, lines)
      .join('\n'),
  }));
}
