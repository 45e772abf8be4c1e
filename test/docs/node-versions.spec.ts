import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const text = (file: string) => readFileSync(path.resolve(__dirname, '../..', file), 'utf8');

describe('Node 24', () => {
  const major = text('.nvmrc').trim();
  const { devDependencies, engines } = JSON.parse(text('package.json')) as {
    devDependencies: Record<string, string>;
    engines: { node: string };
  };

  it('is the release that is developed with, that types describe and that the image has', () => {
    expect(devDependencies['@types/node']).toMatch(new RegExp(`^${major}\\.`));
    const names = text('Dockerfile').matchAll(/^FROM node:(\d+)\.\d+\.\d+-/gm);
    const images = [...names].map(([, image]) => image);
    expect(images).toEqual([major, major]);
  });

  it('is tested as every other release is that the package allows', () => {
    const [, least] = /^>=(\d+)/.exec(engines.node)!;
    const workflow = parse(text('.github/workflows/ci.yml'));
    const releases = workflow.jobs.run.strategy.matrix.node.map(String);
    const count = (Number(major) - Number(least)) / 2 + 1;
    expect(releases).toEqual(Array.from({ length: count }, (_, i) => String(Number(least) + 2 * i)));
    // A machine with the oldest tries the newest too, where time is short.
    const tried = [...text('.ci/run').matchAll(/'release (\d+)'/g)].map(([, release]) => release);
    expect(tried).toEqual([major]);
  });
});
