import { beforeEach, describe, expect, it, vi } from 'vitest';
import { usePreferences } from '../../state/preferences.ts';
import { render } from '../../test-support/render.ts';
import { historyOf } from './entries.ts';
import { HoursPanel } from './hours-panel.tsx';
import { DAY_MS, HOUR_MS } from './interval.ts';
import { timeAxis } from './rate-lines.tsx';
import { hourly, periodOfHours, START } from './test-support/rates.ts';

/** Local time is `before` minutes ahead of UTC until `change`, and `after` minutes from then on. */
function clockChange(change: number, before: number, after: number): void {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function (this: Date) {
    return this.getTime() < change ? -before : -after;
  });
}

beforeEach(() => {
  usePreferences.setState({ ...usePreferences.getInitialState(), timeZone: 'local' }, true);
  return () => usePreferences.setState(usePreferences.getInitialState(), true);
});

/** The clock goes back from 03:00 +02:00 to 02:00 +01:00. */
const AUTUMN = Date.UTC(2026, 9, 25, 1);
/** The clock goes forward from 02:00 +01:00 to 03:00 +02:00. */
const SPRING = Date.UTC(2026, 2, 29, 1);

describe('the time axis of a period in which the local clock changes', () => {
  const textsOf = (from: number, to: number, most: number) => {
    const { ticks, text } = timeAxis({ from, to }, 'local', most);
    return ticks.map(text);
  };

  it('has each day once, at its own midnight', () => {
    clockChange(AUTUMN, 120, 60);
    const from = Date.UTC(2026, 9, 22, 22);
    const days = ['10-23', '10-24', '10-25', '10-26', '10-27', '10-28'];
    expect(textsOf(from, from + 5 * DAY_MS + HOUR_MS, 8)).toEqual(days);
    clockChange(SPRING, 60, 120);
    const spring = Date.UTC(2026, 2, 27, 23);
    expect(textsOf(spring, spring + 3 * DAY_MS, 4)).toEqual(['03-28', '03-29', '03-30', '03-31']);
  });

  it('keeps its hours whole, and shows the day at midnight', () => {
    clockChange(AUTUMN, 120, 60);
    const from = Date.UTC(2026, 9, 24, 16);
    const hours = ['18:00', '10-25', '06:00', '12:00', '18:00', '10-26'];
    expect(textsOf(from, from + 31 * HOUR_MS, 6)).toEqual(hours);
  });

  it('has no tick for an hour that the clock skips', () => {
    clockChange(SPRING, 60, 120);
    const from = Date.UTC(2026, 2, 28, 23);
    expect(textsOf(from, from + 4 * HOUR_MS, 6)).toEqual(['03-29', '01:00', '03:00', '04:00', '05:00']);
  });
});

it('names both offsets above the hours of a period in which the local clock changes', async () => {
  clockChange(START + 2 * HOUR_MS, 120, 60);
  const period = periodOfHours(4);
  const history = historyOf('BTC', hourly(['0.1', '0.2', '0.3', '0.4']), period, period);
  const { container } = await render(<HoursPanel histories={[history]} />);
  expect(container.querySelector('th')?.textContent).toBe('Hour, +02:00 and +01:00');
});
