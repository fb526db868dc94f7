import { expect, it } from 'vitest';
import type { RadarTile } from '../../../book-worker/radar/messages.ts';
import { liveStatus } from '../../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { only, render } from '../../../test-support/render.ts';
import { Tile } from './radar-tile.tsx';

it('a tile prints its mid with one decimal more than the tick, whatever the best prices are', async () => {
  const { live } = statusLive();
  const mid = async (tick: RadarTile['tick'], bid: RadarTile['tick'], ask: RadarTile['tick']) => {
    const tile: RadarTile = {
      ...liveStatus(1_000),
      best: { bid, ask },
      tick,
      spreadBps: null,
      lean: null,
      events: [],
      changesPerSecond: null,
      watched: { bids: 0, asks: 0 },
    };
    const { container } = await render(
      <LiveProvider value={live}>
        <Tile coin="ETH" tile={tile} isOpen={false} tabIndex={0} onOpen={() => {}} />
      </LiveProvider>,
    );
    const shown = only(container, '[data-field=mid]').textContent;
    // What is read out says the same.
    const spoken = /mid ([\d,.]+)(?=, |$)/.exec(only(container, 'button').getAttribute('aria-label') ?? '')?.[1];
    expect(spoken ?? '—').toBe(shown);
    return shown;
  };
  expect(await mid('0.1', '2410', '2411')).toBe('2,410.50');
  expect(await mid('0.1', '2410.1', '2410.2')).toBe('2,410.15');
  expect(await mid('0.1', '2410', undefined)).toBe('—');
});
