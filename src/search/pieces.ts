// The index of documents has a number for each piece of a word: three letters, and at the beginning of a word
// one and two. Every letter of scripts without blanks is such a beginning, and so are the first digit of a
// number and the first after its zeros. The numbers are hashes mixed with store and kind, so that no list of
// the index is longer than one store's records of a kind.

/** From here on are the scripts that need no blanks between words: Thai, Chinese, Japanese and others. */
const FIRST_WITHOUT_BLANKS = 0x0e00;
const PIECE = 3;

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

const seeds = new Map<string, number>();
const MOST_SEEDS = 10_000;

function seedOf(storeId: string, kind: string): number {
  const name = storeId + kind;
  let seed = seeds.get(name);
  if (seed === undefined) {
    seed = OFFSET_BASIS;
    for (let i = 0; i < name.length; i++) seed = Math.imul(seed ^ name.charCodeAt(i), PRIME);
    if (seeds.size >= MOST_SEEDS) seeds.clear();
    seeds.set(name, seed);
  }
  return seed;
}

/** FNV-1a with the last steps of murmur3, which spread the bits. */
function hash(seed: number, text: string, start: number, end: number): number {
  let value = seed ^ (end - start);
  for (let i = start; i < end; i++) value = Math.imul(value ^ text.charCodeAt(i), PRIME);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}

const isWithoutBlanks = (word: string, at: number) => word.charCodeAt(at) >= FIRST_WITHOUT_BLANKS;

const isDigit = (word: string, at: number) => word.charCodeAt(at) >= 0x30 && word.charCodeAt(at) <= 0x39;

/** The pieces of all words of a document. */
export function piecesOf(storeId: string, kind: string, text: string): number[] {
  const seed = seedOf(storeId, kind);
  const pieces = new Set<number>();
  for (const word of new Set(text.split(/[ \n]+/))) {
    for (let at = 0, isAfterZeros = false; at < word.length; at++) {
      const left = word.length - at;
      const beginsNumber: boolean = isDigit(word, at) && (isAfterZeros || !isDigit(word, at - 1));
      isAfterZeros = beginsNumber && word[at] === '0';
      const isStart = at === 0 || beginsNumber || isWithoutBlanks(word, at);
      for (let size = isStart ? 1 : PIECE; size <= Math.min(PIECE, left); size++)
        pieces.add(hash(seed, word, at, at + size));
    }
  }
  return [...pieces];
}

/** The pieces that a document with these words must have: as many as cover each word. */
export function neededPieces(storeId: string, kind: string, words: readonly string[]): number[] {
  const seed = seedOf(storeId, kind);
  const pieces = new Set<number>();
  for (const word of words) {
    const size = Math.min(word.length, PIECE);
    for (let at = 0; at + size <= word.length; at++)
      if (at % PIECE === 0 || at + size === word.length) pieces.add(hash(seed, word, at, at + size));
  }
  return [...pieces];
}

/** Whether a word is so short that it is looked for at the beginning of words only. */
export const isBeginning = (word: string): boolean => word.length < PIECE && !isWithoutBlanks(word, 0);
