import { describe, expect, it } from 'vitest';
import { historyOf, type Silence } from './entries.ts';
import { hourly, periodOfHours } from './test-support/rates.ts';
import { allReceivedText, emptyText, receivedText, silenceText } from './texts.ts';

const WINDOW = periodOfHours(3);
const second = (time: number) => new Date(time).toISOString().slice(11, 16);
const silent = (coin: string, silence: Silence) => historyOf(coin, [], WINDOW, { from: 0, to: 0 }, silence);
const empty = historyOf('SOL', [], WINDOW, WINDOW);

describe('a coin that failed to load', () => {
  it.each(['unrequested', 'waiting', 'stopped', 'failed'] as const)(
    '%s, is never said to have no entry or to miss none',
    (silence) => {
      const history = silent('BTC', silence);
      const said = [receivedText(history), silenceText(history), emptyText([history], WINDOW, second)].join(' ');
      expect(said).not.toMatch(/\d (?:received|missing)|no entry/);
    },
  );

  it('is named beside those that loaded', () => {
    const all = [silent('BTC', 'failed'), empty, silent('ETH', 'failed')];
    expect(emptyText(all, WINDOW, second)).toBe(
      'SOL has no entries between 00:00 and 03:00. BTC, ETH: failed to load; data for this period is unknown.',
    );
    expect(allReceivedText(all)).toBe(
      'BTC, ETH: failed to load · SOL: 0 received, missing count unknown, 0 duplicates',
    );
  });
});

it('[FUND-8] counts missing entries only with a measured interval', () => {
  const period = periodOfHours(3);
  expect(receivedText(historyOf('BTC', hourly(['1']), period, period))).toContain('1 received, missing count unknown');
  expect(receivedText(historyOf('BTC', hourly(['1', '2']), period, period))).toContain('2 received, 1 missing');
});
