/** What the service says in English, and how a shop owner is told. */
export type Sentence = [RegExp, (match: string[]) => string];

/** What the first sentence that fits says; undefined if none does. */
export function translate(sentences: Sentence[], text: string): string | undefined {
  for (const [pattern, say] of sentences) {
    const match = pattern.exec(text);
    if (match) return say(match);
  }
  return undefined;
}
