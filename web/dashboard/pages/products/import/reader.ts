import { words } from '../../../words/all';
import type { Requests } from './worker';

type Settle = { resolve: (answer: never) => void; reject: (error: Error) => void };

/** Asks the worker that reads files. */
export class Reader {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, Settle>();
  private last = 0;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<{ id: number; answer?: never; error?: string }>) => {
      const { resolve, reject } = this.waiting.get(data.id)!;
      this.waiting.delete(data.id);
      if (data.error === undefined) resolve(data.answer!);
      else reject(new Error(words.imports.files[data.error] ?? data.error));
    };
    this.worker.onerror = ({ message }) => {
      for (const { reject } of this.waiting.values()) reject(new Error(message));
      this.waiting.clear();
    };
  }

  /** @throws Error in words */
  ask<Kind extends keyof Requests>(
    kind: Kind,
    asked: Requests[Kind]['asked'],
  ): Promise<Requests[Kind]['answer']> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Settle['resolve'], reject });
      this.worker.postMessage({ id, kind, asked });
    });
  }

  stop(): void {
    this.worker.terminate();
  }
}
