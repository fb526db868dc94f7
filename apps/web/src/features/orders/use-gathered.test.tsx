import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { act, render } from '../../test-support/render.ts';
import { useGathered } from './use-gathered.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Props {
  readonly latest: readonly string[];
  readonly isOnTheWay: boolean;
  readonly of?: string;
}

function Shown({ latest, isOnTheWay, of = 'wallets' }: Props) {
  return <p>{useGathered(latest, isOnTheWay, of).join(' ')}</p>;
}

async function shown() {
  const { container, rerender } = await render(<Shown latest={[]} isOnTheWay />);
  return {
    text: () => container.textContent,
    come: (props: Props) => rerender(<Shown {...props} />),
    pass: (ms: number) => act(async () => vi.advanceTimersByTime(ms)),
  };
}

it('shows the first responses after four seconds, later ones once none comes for as long, and the last one at once', async () => {
  const { text, come, pass } = await shown();
  await come({ latest: ['a'], isOnTheWay: true });
  await pass(3_000);
  await come({ latest: ['a', 'b'], isOnTheWay: true });
  expect(text()).toBe('');
  await pass(1_000);
  expect(text()).toBe('a b');
  await come({ latest: ['a', 'b', 'c'], isOnTheWay: true });
  await pass(4_000);
  await come({ latest: ['a', 'b', 'c', 'd'], isOnTheWay: true });
  await pass(4_000);
  expect(text(), 'while others come').toBe('a b');
  await pass(4_000);
  expect(text(), 'while one is missing').toBe('a b c d');
  await come({ latest: ['a', 'b', 'c', 'd', 'e'], isOnTheWay: false });
  expect(text()).toBe('a b c d e');
  // A refresh keeps the earlier rows until newer ones are shown.
  await come({ latest: ['A', 'b', 'c', 'd', 'e'], isOnTheWay: true });
  expect(text()).toBe('a b c d e');
  await pass(8_000);
  expect(text()).toBe('A b c d e');
});

it('shows after sixteen seconds what has come, although more keeps coming', async () => {
  const { text, come, pass } = await shown();
  let latest: readonly string[] = [];
  for (const [response, expected] of [
    ['a', 'a'],
    ['b', 'a'],
    ['c', 'a'],
    ['d', 'a b c d'],
    ['e', 'a b c d'],
  ] as const) {
    latest = [...latest, response];
    await come({ latest, isOnTheWay: true });
    await pass(4_000);
    expect(text()).toBe(expected);
  }
});

it('shows what has come for other wallets at once, never what was shown for the last ones', async () => {
  const { text, come, pass } = await shown();
  await come({ latest: ['a'], isOnTheWay: false });
  await come({ latest: ['x'], isOnTheWay: true, of: 'others' });
  expect(text()).toBe('x');
  await come({ latest: ['x', 'y'], isOnTheWay: true, of: 'others' });
  expect(text()).toBe('x');
  await pass(8_000);
  expect(text()).toBe('x y');
});
