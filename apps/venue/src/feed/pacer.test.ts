import { describe, expect, it } from 'vitest';
import { Pacer, type PacerOutput } from './pacer.ts';
import type { BlockSource, SourceBlock } from './source.ts';

/** A source of `last` empty blocks. */
function source(last: number, delay = 1): BlockSource {
  let height = 0;
  return {
    kind: 'capture',
    coins: [],
    time: 0,
    counts: { blocks: 0, diffs: 0, statuses: 0, fills: 0 },
    get height() {
      return height;
    },
    get nextDelay() {
      return height < last ? delay : null;
    },
    advance() {
      if (height >= last) return null;
      height += 1;
      return { height, time: height, coin: () => null };
    },
    book: () => null,
    size: () => null,
  };
}

interface Output extends PacerOutput {
  readonly heights: number[];
  unsentBytes: number;
  queuedMessages: number;
  readonly dropped: number[];
}

function output(onBlock: (block: SourceBlock) => void = () => undefined): Output {
  const heights: number[] = [];
  const dropped: number[] = [];
  return {
    heights,
    dropped,
    unsentBytes: 0,
    queuedMessages: 0,
    publish(block) {
      heights.push(block.height);
      onBlock(block);
    },
    dropLaggards: (bytes) => dropped.push(bytes),
  };
}

describe('pacing', () => {
  it('plays every block once, in order, and stops at the end', async () => {
    const out = output();
    const pacer = new Pacer(source(30), out);
    pacer.setFactor(10);
    await expect.poll(() => out.heights.length).toBe(30);
    expect(out.heights).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    pacer.setFactor(1);
    pacer.stop();
  });

  it('tells the source which blocks are made in real time', async () => {
    const blocks = source(1_000_000);
    const flags: (boolean | undefined)[] = [];
    const pacer = new Pacer(
      { ...blocks, nextDelay: 1, advance: (flag) => (flags.push(flag), blocks.advance()) },
      output(),
    );
    pacer.setFactor(1);
    await expect.poll(() => flags.length).toBeGreaterThan(3);
    pacer.setFactor(10);
    expect(new Set(flags.splice(0))).toEqual(new Set([true]));
    await expect.poll(() => flags.length).toBeGreaterThan(3);
    pacer.setFactor(0);
    expect(new Set(flags.splice(0))).toEqual(new Set([false]));
    await pacer.step(2);
    expect(flags).toEqual([undefined, undefined]);
    pacer.stop();
  });

  it('applies a new pace at once; 0 stops', async () => {
    const out = output();
    const pacer = new Pacer(source(1_000_000, 60_000), out);
    pacer.setFactor(1);
    expect(out.heights).toEqual([]);
    pacer.setFactor(100_000);
    await expect.poll(() => out.heights.length).toBeGreaterThan(3);
    pacer.setFactor(0);
    const { length } = out.heights;
    expect(await pacer.step(2)).toBe(length + 2);
    pacer.stop();
  });

  it('finishes the current block and then stops', async () => {
    const out = output(() => pacer.stop());
    const pacer: Pacer = new Pacer(source(100), out);
    await pacer.step(100);
    expect(out.heights).toEqual([1]);
  });
});

describe('stepping', () => {
  it('waits for slow clients before it continues', async () => {
    const out = output(({ height }) => {
      // Each block takes longer than a slice, so the pacer checks the clients after it.
      const end = performance.now() + 9;
      while (performance.now() < end);
      if (height === 1) {
        out.unsentBytes = 1e9;
        setTimeout(() => {
          out.unsentBytes = 0;
          out.heights.push(-1);
        }, 5);
      }
    });
    await new Pacer(source(2), out).step(2);
    expect(out.heights).toEqual([1, -1, 2]);
  });

  it('rejects while the market runs, and remains usable', async () => {
    const pacer = new Pacer(source(10, 60_000), output());
    pacer.setFactor(1);
    await expect(pacer.step(1)).rejects.toThrow('the market runs at pace 1');
    pacer.setFactor(0);
    expect(await pacer.step(1)).toBe(1);
    pacer.stop();
  });
});
