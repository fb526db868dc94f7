import { describe, expect, it } from 'vitest';
import { FundingSeries, formatRate, HOUR_MS } from './funding.ts';

const START = 1_795_219_200_000;
const DAYS_120 = 120 * 24;

function series(coin = 'BTC', seed = 'test') {
  return new FundingSeries(seed, coin, START);
}

const last120 = (of: FundingSeries) => of.between(START - DAYS_120 * HOUR_MS, START + HOUR_MS - 1, 1_000_000);

describe('funding', () => {
  it('covers more than 120 days, hour by hour, with one hour missing', () => {
    const hours = last120(series()).map(({ time }) => Math.floor(time / HOUR_MS));
    const expected = Array.from({ length: DAYS_120 + 1 }, (_, index) => START / HOUR_MS - DAYS_120 + index);
    expect(hours.length).toBe(DAYS_120);
    expect(expected.filter((hour) => !hours.includes(hour)).length).toBe(1);
  });

  it('is the same for any requested range and differs by coin and seed', () => {
    const whole = last120(series());
    const day = whole.slice(1_000, 1_024);
    const again = series().between(day[0]?.time ?? 0, day.at(-1)?.time ?? 0, 500);
    expect(again).toEqual(day);
    expect(series().between(day[0]?.time ?? 0, START, 7)).toEqual(day.slice(0, 7));
    expect(last120(series('ETH'))).not.toEqual(whole);
    expect(last120(series('BTC', 'other'))).not.toEqual(whole);
  });

  it('has premiums of both signs below a third of a percent, and a rate that is mostly the interest but follows beyond the clamp', () => {
    const hours = last120(series());
    const interest = hours.filter(({ rate }) => formatRate(rate) === '0.0000125');
    expect(interest.length).toBeGreaterThan(hours.length / 3);
    expect(interest.length).toBeLessThan(hours.length);
    expect(hours.filter(({ premium }) => Math.abs(premium) > 30_000_000)).toEqual([]);
    const above = hours.filter(({ premium }) => premium > 6_000_000);
    const below = hours.filter(({ premium }) => premium < -4_000_000);
    expect(Math.min(above.length, below.length)).toBeGreaterThan(20);
    expect([...above.filter(({ rate }) => rate <= 125_000), ...below.filter(({ rate }) => rate >= 125_000)]).toEqual(
      [],
    );
    for (const sign of [-1, 1]) expect(hours.some(({ premium }) => Math.sign(premium) === sign)).toBe(true);
    expect(last120(series('xyz:GOLD')).some(({ rate }) => formatRate(rate) === '0.00000625')).toBe(true);
  });
});
