import { Registry } from 'prom-client';
import { StoreFigures } from './metrics.js';

describe('the figures of stores', () => {
  it('show the fifty busiest, with their calls, refusals and deliveries', async () => {
    const registry = new Registry();
    const figures = new StoreFigures(registry);
    for (let store = 1; store <= 60; store++)
      for (let i = 0; i < store; i++) figures.count(`s${store}`, store % 2 ? 'calls' : 'deliveries');
    figures.count('s59', 'refusals');
    const text = await registry.metrics();
    const lines = text.split('\n').filter((line) => line.startsWith('shop_store_calls_total{'));
    expect(lines).toHaveLength(50);
    expect(text).toContain('shop_store_calls_total{store="s59"} 59\n');
    expect(text).toContain('shop_store_refusals_total{store="s59"} 1\n');
    expect(text).toContain('shop_store_deliveries_total{store="s60"} 60\n');
    expect(text).not.toContain('"s10"');
  });

  it('forget the quietest when there are very many', async () => {
    const registry = new Registry();
    const figures = new StoreFigures(registry);
    figures.count('busy', 'calls');
    figures.count('busy', 'calls');
    for (let store = 1; store <= 20_100; store++) figures.count(`s${store}`, 'calls');
    expect(await registry.metrics()).toContain('shop_store_calls_total{store="busy"} 2\n');
  });
});
