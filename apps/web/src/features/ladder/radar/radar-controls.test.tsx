import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { coinsQuery } from '../../../api/session.ts';
import type { ToRadar } from '../../../book-worker/radar/messages.ts';
import { Radar, RadarProvider } from '../../../book-worker/radar/radar.ts';
import { must } from '../../../test-support/must.ts';
import { click, only, render } from '../../../test-support/render.ts';
import { RadarControls } from './radar-controls.tsx';

const COINS = Array.from({ length: 20 }, (_, at) => `C${at}`);

it('follows another choice of coins only once its price was shown and the choice confirmed', async () => {
  const sent: ToRadar[] = [];
  const radar = new Radar(() => ({
    postMessage: (message) => sent.push(message),
    addEventListener: () => {},
    terminate: () => {},
  }));
  const followed = () => sent.filter((message) => message.kind === 'follow').map(({ coins }) => coins.length);
  const client = new QueryClient();
  client.setQueryData(coinsQuery.queryKey, {
    coins: COINS.map((coin) => ({ coin, szDecimals: 5, maxLeverage: 40 })),
  });
  await render(
    <QueryClientProvider client={client}>
      <RadarProvider value={radar}>
        <RadarControls />
      </RadarProvider>
    </QueryClientProvider>,
  );
  const button = (text: RegExp) =>
    [...document.body.querySelectorAll('button')].find(({ textContent }) => text.test(textContent));
  await click(must(button(/^Start/)));
  expect(followed()).toEqual([8]);
  expect(button(/^Follow/)).toBeUndefined();

  await click(only(document.body, 'button[aria-label^="Coins of the radar"]'));
  await click(must(button(/^First 16/)));
  expect(followed()).toEqual([8]);
  const confirm = must(button(/^Follow/));
  expect(confirm.textContent).toMatch(/^Follow 16 coins · 16 credits a minute \+ 16 credits/);
  await click(confirm);
  expect(followed()).toEqual([8, 16]);
  expect(button(/^Follow/)).toBeUndefined();

  await click(must(button(/^First 8/)));
  expect(must(button(/^Follow/)).textContent).toBe('Follow 8 coins · 8 credits a minute');
});
