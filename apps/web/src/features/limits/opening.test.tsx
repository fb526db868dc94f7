import { beforeEach, expect, it, vi } from 'vitest';
import { FakeWorker } from '../../book-worker/test-support/fake-worker.ts';
import { usePreferences } from '../../state/preferences.ts';
import { FakeService } from '../../test-support/fake-service.ts';
import { openApp } from '../../test-support/open-app.tsx';
import { click, only } from '../../test-support/render.ts';

let service: FakeService;
const calls = () => service.calls.filter(({ body }) => JSON.stringify(body)?.includes('maxMarketOrderNtls')).length;
const text = () => document.body.textContent;

/** Opens another page and comes back. */
async function reopen() {
  await click(only(document.body, 'nav a[href^="/usage"]'));
  await expect.poll(text).toContain('no ServiceKey');
  await click(only(document.body, 'nav a[href^="/limits"]'));
  await expect.poll(text).toContain('Global limits');
}

beforeEach(() => {
  service = new FakeService();
  service.signedIn = true;
  vi.stubGlobal('Worker', FakeWorker);
  usePreferences.setState(usePreferences.getInitialState(), true);
  service.info = () => {
    throw new TypeError('Failed to fetch');
  };
});

it('limits that failed to load are loaded again when the page is opened, within the price rule', async () => {
  await openApp('/limits');
  await expect.poll(text).toContain('failed to load');
  expect(calls()).toBe(1);
  service.info = () => [[40, '15000000.0']];
  await reopen();
  await expect.poll(text).toContain('1 bucket');
  expect(calls()).toBe(2);
  await reopen();
  await expect.poll(text).toContain('1 bucket');
  expect(calls()).toBe(2);
});
