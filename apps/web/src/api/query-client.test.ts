import { defaultScheduler, notifyManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderResponsesTogether } from './query-client.ts';

beforeEach(() => {
  vi.useFakeTimers();
  renderResponsesTogether();
});

afterEach(() => {
  vi.useRealTimers();
  notifyManager.setScheduler(defaultScheduler);
});

it('renders a first response at once, and those of the next tenth of a second together', async () => {
  const rendered: string[] = [];
  const respond = (text: string) => notifyManager.schedule(() => rendered.push(text));
  respond('a');
  await vi.advanceTimersByTimeAsync(0);
  expect(rendered).toEqual(['a']);
  respond('b');
  await vi.advanceTimersByTimeAsync(60);
  respond('c');
  await vi.advanceTimersByTimeAsync(39);
  expect(rendered).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(rendered).toEqual(['a', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(200);
  respond('d');
  await vi.advanceTimersByTimeAsync(0);
  expect(rendered).toEqual(['a', 'b', 'c', 'd']);
});
