const LINES = 4;

/** Returns zero and a few round numbers above it, the last at least `max`: 0, 20, 40, 60 for 47. */
export function roundFigures(max: number): number[] {
  const rough = Math.max(1, max / LINES);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough)!;
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, i) => i * step);
}
