import { expect, it, onTestFinished } from 'vitest';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { onBookPage } from '../../../test-support/book-page.tsx';
import { stubCanvas } from '../../../test-support/canvas.ts';
import { must } from '../../../test-support/must.ts';
import { act, only, press } from '../../../test-support/render.ts';
import { renderRoute } from '../../../test-support/render-route.tsx';
import { Toasts } from '../../../ui/toast.tsx';
import type { FromPrice, MapFacts, PointedAt, ToPrice } from './price-messages.ts';
import PricePane from './price-pane.tsx';

const READOUT: PointedAt = {
  x: 10,
  y: 20,
  height: 4_321,
  time: Date.UTC(2026, 4, 5, 14, 2, 11, 402),
  from: '81307',
  to: '81307',
  bid: '8.81056',
  ask: undefined,
  own: undefined,
  largest: { user: `0x${'5eaa'.repeat(10)}`, sz: '3.2', px: '81307' },
  isKnown: true,
  isKept: true,
  span: undefined,
};

const FACTS: MapFacts = {
  from: READOUT.time - 60_000,
  to: READOUT.time,
  first: '81300.5',
  last: '81307.5',
  lastAt: 0.25,
  high: '81310.0',
  low: '81299.5',
  prints: 12,
  hasMorePrints: false,
  prices: [{ at: 0.5, px: '81305' }],
  times: [],
  width: 400,
  own: [],
  keptFrom: READOUT.time - 60_000,
};

/** The pane, and the worker's end of its port. */
async function renderPane() {
  stubCanvas();
  const { worker, live } = followedPage();
  const opened: string[] = [];
  const Component = () =>
    onBookPage(
      live,
      <>
        <PricePane />
        <Toasts />
      </>,
      { onPane: (key) => opened.push(key) },
    );
  const { container, router } = await renderRoute(Component);
  const { name, port } = must(worker.asked('canvas').at(-1), 'canvas');
  expect(name).toBe('price');
  const heard: ToPrice[] = [];
  port.addEventListener('message', ({ data }: MessageEvent<ToPrice>) => heard.push(data));
  port.start();
  onTestFinished(() => port.close());
  const post = async (event: FromPrice) => {
    port.postMessage(event);
    await act(async () => expect.poll(() => container.textContent !== '').toBe(true));
  };
  return { container, worker, heard, post, opened, router };
}

it('says in words what is drawn, and what is under the crosshair', async () => {
  const { container, post } = await renderPane();
  await post({ kind: 'facts', facts: FACTS });
  await expect.poll(() => only(container, '[data-part=price-summary]').textContent).toContain('12 prints');
  const map = only(container, 'button[aria-label="Map of prices over time"]');
  const described = map.getAttribute('aria-describedby')?.split(' ') ?? [];
  const texts = described.map((id) => only(container, `#${id}`).textContent);
  expect(texts[0]).toMatch(
    /^mid 81,300\.5 to 81,307\.5 · high 81,310\.0 · low 81,299\.5 · 12 prints · .*14:02:11\.402 UTC$/,
  );
  expect(texts[1]).toContain('Arrow keys');
  await post({ kind: 'facts', facts: { ...FACTS, prints: 20_000, hasMorePrints: true } });
  await expect.poll(() => only(container, '[data-part=price-summary]').textContent).toContain(' · ≥ 20,000 prints · ');
  await post({ kind: 'readout', readout: READOUT });
  await expect
    .poll(() => container.querySelector('[data-part=price-readout]')?.textContent)
    .toContain('81,307 bid 8.81056');
  expect(only(container, '[data-part=price-largest]').textContent).toBe('largest 0x5eaa…5eaa 3.2');
  expect(only(container, '[data-part=price-readout]').textContent).toMatch(/14:02:11\.402 largest .* block 4,321$/);
  const tags = ['last', 'pointed'].map((part) => only(container, `[data-part=price-${part}]`).textContent);
  expect(tags).toEqual(['81,307.5', '81,307']);
  await post({ kind: 'readout', readout: { ...READOUT, to: '81309', bid: undefined, isKnown: false } });
  await expect
    .poll(() => container.querySelector('[data-part=price-readout]')?.textContent)
    .toContain('81,307 – 81,309 ?');
  expect(only(container, '[data-part=price-largest]').textContent).toContain('3.2 at 81,307');
});

it('Shift+Enter begins a span and ends it, and what changed in it is listed', async () => {
  const { container, worker, heard, post, opened, router } = await renderPane();
  const map = only(container, 'button[aria-label="Map of prices over time"]');
  await press(map, 'Enter', { shiftKey: true });
  const span = { x: 4, height: 4_300, time: READOUT.time - 1_400, isKept: true };
  await post({ kind: 'readout', readout: { ...READOUT, span } });
  await expect
    .poll(() => container.querySelector('[data-part=price-readout]')?.textContent)
    .toMatch(/what changed from 14:02:10\.002/);
  expect(only(container, '[data-part=price-span]').style).toMatchObject({ left: '4px', width: '6px' });
  await press(map, 'Enter', { shiftKey: true });
  await expect
    .poll(() => heard.filter(({ kind }) => kind === 'span' || kind === 'choose'))
    .toEqual([
      { kind: 'span', at: undefined },
      { kind: 'choose', at: undefined },
    ]);
  await post({ kind: 'chosen', height: 4_321, since: 4_300, isKept: true });
  await expect.poll(() => opened).toEqual(['tape']);
  expect(worker.asked('travel').at(-1)?.to).toEqual({ kind: 'height', height: 4_321 });
  expect(router.state.location.search).toEqual({ since: '4300' });
});

it('where the book is no longer kept, the map says so and a press does not travel', async () => {
  const { container, worker, post } = await renderPane();
  await post({ kind: 'facts', facts: { ...FACTS, keptFrom: FACTS.from + 30_000 } });
  await expect
    .poll(() => only(container, '[data-part=price-summary]').textContent)
    .toMatch(/book kept from 14:01:41\.402$/);
  await post({ kind: 'readout', readout: { ...READOUT, isKept: false } });
  await expect
    .poll(() => container.querySelector('[data-part=price-readout]')?.textContent)
    .toContain('the book is no longer kept here');
  await post({ kind: 'chosen', height: 4_321, since: undefined, isKept: false });
  await expect.poll(() => container.textContent).toContain('choose a later block');
  expect(worker.asked('travel')).toEqual([]);
});
