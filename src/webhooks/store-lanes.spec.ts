import { StoreLanes } from './store-lanes.js';

const SLOTS = 512;
const PACES = ['prompt', 'slow', 'silent'] as const;
const names = (count: number, prefix = 'store') => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

/** Starts what the store may start. @returns how many */
function fill(lanes: StoreLanes, ...storeIds: string[]): number {
  const admitted = lanes.admit(storeIds);
  for (const { storeId, free } of admitted) for (let i = 0; i < free; i++) lanes.start(storeId);
  return admitted.reduce((sum, { free }) => sum + free, 0);
}

function answerPromptly(lanes: StoreLanes, storeId: string, times: number): void {
  for (let i = 0; i < times; i++) {
    lanes.start(storeId);
    lanes.finish(storeId, 'prompt');
  }
}

describe('StoreLanes', () => {
  it('gives a new store two lanes, one more with each answer: up to sixteen prompt ones, eight slow ones, four that never come', () => {
    const lanes = new StoreLanes();
    expect(lanes.admit(['a'])).toEqual([{ storeId: 'a', free: 2 }]);
    answerPromptly(lanes, 'a', 3);
    expect(lanes.admit(['a'])).toEqual([{ storeId: 'a', free: 5 }]);
    answerPromptly(lanes, 'a', 100);
    expect(lanes.admit(['a'])).toEqual([{ storeId: 'a', free: 16 }]);
    lanes.start('a');
    lanes.finish('a', 'slow');
    expect(lanes.admit(['a'])).toEqual([{ storeId: 'a', free: 8 }]);
    lanes.start('a');
    lanes.finish('a', 'silent');
    expect(lanes.admit(['a'])).toEqual([{ storeId: 'a', free: 4 }]);
    lanes.start('a');
    lanes.finish('a', 'prompt');
    expect(lanes.admit(['a'])).toEqual([{ storeId: 'a', free: 5 }]);
    for (const pace of ['slow', 'silent'] as const) {
      lanes.start(pace);
      lanes.finish(pace, pace);
      expect(lanes.admit([pace])).toEqual([{ storeId: pace, free: 3 }]);
    }
  });

  it('admits nobody beyond the slots, and no store beyond its lanes', () => {
    const lanes = new StoreLanes();
    for (const name of names(40)) answerPromptly(lanes, name, 20);
    expect(fill(lanes, ...names(40))).toBe(SLOTS);
    expect(lanes.total).toBe(SLOTS);
    expect(lanes.admit(names(40))).toEqual([]);
    expect(lanes.admit(names(1, 'late'))).toEqual([]);
  });

  it('keeps a quarter of the slots for stores that answer promptly, however many others wait', () => {
    const lanes = new StoreLanes();
    answerPromptly(lanes, 'healthy', 20);
    expect(fill(lanes, ...names(1_000, 'hanging'))).toBe(SLOTS * 0.75);
    expect(lanes.admit(['healthy'])).toEqual([{ storeId: 'healthy', free: 16 }]);
  });

  it('counts back what ends: all lanes are free again after any course of answers', () => {
    const lanes = new StoreLanes();
    const stores = names(30);
    const underWay: string[] = [];
    for (let round = 0; round < 200; round++) {
      for (const { storeId, free } of lanes.admit(stores)) {
        for (let i = 0; i < free; i++) {
          lanes.start(storeId);
          underWay.push(storeId);
        }
      }
      expect(lanes.total).toBe(underWay.length);
      for (const storeId of underWay.splice(0, 1 + (round % 40))) lanes.finish(storeId, PACES[(round + storeId.length) % 3]);
    }
    for (const storeId of underWay) lanes.finish(storeId, 'prompt');
    expect(lanes.total).toBe(0);
    expect(fill(lanes, ...names(1_000, 'new'))).toBe(SLOTS * 0.75);
  });

  it('remembers good standing over ten thousand other stores, and forgets who was idle the longest', () => {
    const lanes = new StoreLanes();
    answerPromptly(lanes, 'early', 20);
    answerPromptly(lanes, 'healthy', 20);
    for (const name of names(9_999)) answerPromptly(lanes, name, 1);
    expect(lanes.admit(['healthy'])).toEqual([{ storeId: 'healthy', free: 16 }]);
    expect(lanes.admit(['early'])).toEqual([{ storeId: 'early', free: 2 }]);
  });
});
