import type { TextsWanted } from '@l4desk/feed';
import { stoppedClock } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { WantedTexts } from './wanted-texts.ts';

const NONE: TextsWanted = { all: false, allDeflated: false, bookDeflated: false };
const KEEP_MS = 30_000;

function start(keepMs = KEEP_MS, recorded: readonly string[] = []) {
  const time = stoppedClock();
  const told: string[] = [];
  const read: string[] = [];
  const texts = new WantedTexts({
    feed: {
      wantTexts: (coin, wanted) => {
        const names = Object.entries(wanted).flatMap(([name, isWanted]) => (isWanted ? [name] : []));
        told.push(`${coin}: ${names.join()}`);
      },
    },
    recent: { readAll: (coin, isRead) => read.push(`${coin} ${isRead}`) },
    clock: time.clock,
    readElsewhere: new Set(recorded),
    keepMs,
  });
  return { texts, told, read, time };
}

describe('the texts that have a reader', () => {
  test('[UP-37, RES-1] keep all statuses for as long as returning clients could resume with them', () => {
    const { read, texts, time, told } = start();
    texts.set('BTC', { ...NONE, all: true });
    texts.set('BTC', { ...NONE, bookDeflated: true });
    time.advance(2 * KEEP_MS - 1);
    texts.set('BTC', NONE);
    expect(told).toEqual(['BTC: all', 'BTC: all,bookDeflated', 'BTC: all']);
    time.advance(1);
    expect(told.at(-1)).toBe('BTC: ');
    expect(read).toEqual(['BTC true', 'BTC false']);
  });

  test('[UP-37] do not expire if a client reads all statuses again', () => {
    const { texts, time, told } = start();
    texts.set('BTC', { ...NONE, all: true });
    texts.set('BTC', NONE);
    texts.set('BTC', { ...NONE, all: true });
    time.advance(2 * KEEP_MS);
    expect(told).toEqual(['BTC: all', 'BTC: all', 'BTC: all']);
    texts.set('BTC', NONE);
    texts.close();
    time.advance(2 * KEEP_MS);
    expect(told).toHaveLength(4);
  });

  test('[REC-27] include all statuses of a coin that is recorded with them, even without a client', () => {
    const { texts, told } = start(0, ['BTC']);
    texts.set('BTC', { ...NONE, bookDeflated: true });
    texts.set('BTC', { ...NONE, all: true });
    for (const coin of ['BTC', 'ETH']) texts.set(coin, NONE);
    expect(told).toEqual(['BTC: all,bookDeflated', 'BTC: all', 'BTC: all', 'ETH: ']);
  });

  test('[UP-37] end at once if nothing is kept', () => {
    const { texts, told } = start(0);
    texts.set('BTC', { all: true, allDeflated: true, bookDeflated: false });
    texts.set('BTC', NONE);
    expect(told).toEqual(['BTC: all,allDeflated', 'BTC: ']);
  });
});
