import { expect, test } from 'vitest';
import { AuditSchedule } from './audit-schedule.ts';

/** Runs audits between two times, each taking the upstream `upstreamMs`. Returns when each coin was audited. */
function run(schedule: AuditSchedule, fromMs: number, toMs: number, upstreamMs: (coin: string) => number) {
  const at = new Map<string, number[]>();
  let now = fromMs;
  for (let next = schedule.next(); next !== null && next.at <= toMs; next = schedule.next()) {
    now = Math.max(now, next.at);
    at.set(next.coin, [...(at.get(next.coin) ?? []), now]);
    schedule.started(next.coin, now);
    now += upstreamMs(next.coin);
    schedule.ended(next.coin, now, upstreamMs(next.coin));
  }
  return at;
}

function named(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `C${index}`);
}

test('stretches and reports the period so that audits of 200 coins take at most a tenth of the upstream', () => {
  const schedule = new AuditSchedule(60_000, 0.1);
  for (const coin of named(200)) schedule.add(coin, 0);
  const at = run(schedule, 0, 600_000, () => 90);
  expect(schedule.periodMs).toBeCloseTo(180_000, -1);
  const audits = [...at.values()].flat();
  expect(audits.length * 90).toBeLessThanOrEqual(60_100);
  expect(audits.length * 90).toBeGreaterThan(59_000);
  for (const times of at.values()) {
    for (const [index, time] of times.slice(1).entries())
      expect(Math.abs(time - (times[index] ?? 0) - schedule.periodMs)).toBeLessThan(1_000);
  }
});

test('[UP-10] audits a coin that is alone again within one period of its last audit', () => {
  const schedule = new AuditSchedule(60_000, 0.1);
  for (const coin of named(10)) schedule.add(coin, 0);
  expect(schedule.next()).toEqual({ coin: 'C0', at: 6_000 });
  schedule.started('C0', 6_000);
  schedule.ended('C0', 6_090, 90);
  schedule.started('C1', 12_000);
  schedule.ended('C1', 12_090, 90);
  for (const coin of named(10).slice(1)) schedule.remove(coin);
  expect(schedule.next()).toEqual({ coin: 'C0', at: 66_000 });
  schedule.remove('C0');
  expect(schedule.next()).toBeNull();
  schedule.add('C0', 100_000);
  expect(schedule.next()).toEqual({ coin: 'C0', at: 160_000 });
});

test('[UP-10] audits a hurried coin ahead of its schedule, once', () => {
  const schedule = new AuditSchedule(60_000, 0.1);
  for (const coin of named(3)) schedule.add(coin, 0);
  schedule.hurry('C2', 1_000);
  schedule.hurry('C2', 5_000);
  schedule.hurry('unknown', 0);
  expect(schedule.next()).toEqual({ coin: 'C2', at: 1_000 });
  schedule.started('C2', 1_000);
  schedule.ended('C2', 1_090, 90);
  expect(schedule.next()).toEqual({ coin: 'C0', at: 21_000 });
});
