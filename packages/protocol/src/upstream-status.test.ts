import { expect, test } from 'vitest';
import { serverMessage } from './stream/messages.ts';
import { isSuspect, upstreamStatus } from './upstream-status.ts';
import { readAs, WireFormatError } from './wire-format-error.ts';

const blocks = { ageMs: 41, usualMs: 72, suspectAfterMs: 1_000 };
const status = { time: 1_778_002_753_024, connected: true, ageMs: 12, blocks };

test('is read without unknown fields, and an invalid status is rejected with the path of the problem', () => {
  for (const good of [status, { ...status, ageMs: null, blocks: null, connected: false }]) {
    expect(readAs(upstreamStatus, { ...good, later: 1 }, 'data')).toEqual(good);
    expect(serverMessage.safeParse({ channel: 'l4Upstream', data: good }).success).toBe(true);
  }
  for (const [path, bad] of [
    ['data.time', { ...status, time: '1' }],
    ['data.connected', { ...status, connected: 1 }],
    ['data.ageMs', { ...status, ageMs: -1 }],
    ['data.blocks', { ...status, blocks: undefined }],
    ['data.blocks.usualMs', { ...status, blocks: { ...blocks, usualMs: 0.5 } }],
  ] as const) {
    expect(() => readAs(upstreamStatus, bad, 'data')).toThrow(WireFormatError);
    expect(() => readAs(upstreamStatus, bad, 'data')).toThrow(path);
  }
});

test('blocks are suspect once the last one is older than the stated time', () => {
  expect(isSuspect({ ...blocks, ageMs: 1_000 })).toBe(false);
  expect(isSuspect({ ...blocks, ageMs: 1_001 })).toBe(true);
});
