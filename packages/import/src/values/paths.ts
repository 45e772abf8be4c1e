const LEVEL = /\s*(?:>|»|→|\\|\|{3})\s*|\s+\/\s+/;
const BETWEEN = /\s*[,;|\n]\s*/;

/** The names of a path, from the root: "Clothing > T-shirts". */
export const levelsOf = (path: string): string[] =>
  path
    .split(LEVEL)
    .map((name) => name.trim())
    .filter(Boolean);

/** The paths in a cell that may have several. */
export const pathsOf = (cell: string): string[][] =>
  cell
    .split(BETWEEN)
    .map(levelsOf)
    .filter(({ length }) => length > 0);

/** The path with the most levels, the first of several: it says most of where a product belongs. */
export const deepest = (paths: string[][]): string[] =>
  paths.reduce((best, path) => (path.length > best.length ? path : best), []);
