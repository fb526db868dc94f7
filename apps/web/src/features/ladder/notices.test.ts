// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { liveStatus } from '../../book-worker/test-support/live-status.ts';
import { blockText } from './notices.tsx';

const POSITION = { height: 1_200, seq: 7, epoch: '3f2a', blockTime: 0 };

const status = (change: Partial<LiveStatus> = {}): LiveStatus =>
  liveStatus(0, { position: POSITION, builtAt: 1_000, ...change });

describe('the text about a block', () => {
  it('announces the pause at a future block', () => {
    expect(blockText(status({ holdAt: 1_300 }), 1_300)).toBe(
      'Block 1,300 has not arrived yet. The ladder and its queues will pause at it.',
    );
  });

  it('names the held block, or the next block in which the coin changed', () => {
    const frozen = { ...POSITION, at: 0, asked: 1_200 };
    expect(blockText(status({ frozen }), 1_200)).toBe('The ladder and its queues are paused at block 1,200.');
    expect(blockText(status({ frozen: { ...frozen, height: 1_203 } }), 1_200)).toContain(
      'its next change, block 1,203',
    );
  });

  it('does not call a block past that is held for another reason, or is the current one', () => {
    const frozen = { ...POSITION, at: 0, asked: undefined };
    expect(blockText(status({ frozen, position: { ...POSITION, height: 1_250 } }), 1_200)).toBe(
      'The ladder and its queues are paused at block 1,200.',
    );
    expect(blockText(status(), 1_200)).toBe(
      'Block 1,200 is the current block. The ladder continues with the next one.',
    );
  });

  it('names the proof of a past block', () => {
    const verification = { kind: 'equal', at: 0, height: 1_150, orders: 9, tookMs: 1 } as const;
    const text = blockText(status({ verification }), 1_100);
    expect(text).toContain('the BTC book at that block cannot be shown');
    expect(text).toContain('built at block 1,000, with every change up to block 1,200 applied without a gap');
    expect(text).toContain('A fresh snapshot at block 1,150 matched');
    expect(blockText(status({ verification }), 1_160)).not.toContain('snapshot of block');
  });

  it('claims no proof of a block from before the page was opened', () => {
    const text = blockText(status(), 999);
    expect(text).toContain('has followed BTC since block 1,000, so it cannot verify that block');
    expect(text).not.toContain('without a gap');
  });

  it('does not claim the absence of gaps while the book is not live', () => {
    const state = { kind: 'rebuilding', reason: 'upstream-gap', detail: '', since: 0 } as const;
    expect(blockText(status({ state }), 1_100)).not.toContain('without a gap');
  });
});
