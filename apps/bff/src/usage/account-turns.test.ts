import { expect, it } from 'vitest';
import { AccountTurns } from './router.ts';

/** Work that the test ends. */
function job(log: string[], name: string) {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('runs callers of one account one at a time, without delaying other accounts', async () => {
  const turns = new AccountTurns(10);
  const log: string[] = [];
  const [one, two, other] = [job(log, 'one'), job(log, 'two'), job(log, 'other')];
  const outcomes = [turns.take('a', one.run), turns.take('a', two.run), turns.take('b', other.run)];
  await turn();
  expect(log).toEqual(['one begins', 'other begins']);
  for (const { end } of [two, other, one]) end();
  expect(await Promise.all(outcomes.map(async (outcome) => outcome))).toEqual(['one', 'two', 'other']);
  expect(log.filter((line) => !line.startsWith('other'))).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

it('rejects only the caller whose work fails', async () => {
  const turns = new AccountTurns(10);
  const failed = turns.take('a', () => Promise.reject(new Error('no database')));
  const next = turns.take('a', () => Promise.resolve('well'));
  await expect(failed).rejects.toThrow('no database');
  expect(await next).toBe('well');
});

it('refuses callers if too many wait, until one is done', async () => {
  const turns = new AccountTurns(2);
  const log: string[] = [];
  const jobs = ['one', 'two', 'three', 'four'].map((name) => job(log, name));
  const outcomes = jobs.map(({ run }) => turns.take('a', run));
  expect(outcomes[3]).toBeUndefined();
  expect(turns.take('b', () => Promise.resolve('other'))).toBeDefined();
  jobs[0]?.end();
  await outcomes[0];
  await turn();
  const late = turns.take('a', () => Promise.resolve('late'));
  expect(late).toBeDefined();
  for (const { end } of jobs) end();
  expect(await late).toBe('late');
  expect(log).not.toContain('four begins');
});
