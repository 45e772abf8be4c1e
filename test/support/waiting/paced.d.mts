import type { ServerResponse } from 'node:http';

export function paced(milliseconds: number): Promise<void>;
export function answersAfter(milliseconds: number, status?: number): (response: ServerResponse) => void;
