import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';

const before = { ...z.config() };
afterEach(() => {
  z.config({ jitless: before.jitless });
});

it.each([true, false])('leaves the setting of a program on Node unchanged: jitless %s', async (jitless) => {
  z.config({ jitless });
  vi.resetModules();
  await import('./zod.ts');
  expect(z.config().jitless).toBe(jitless);
});

it('compiles no schema in a page, where the content security policy forbids it', async () => {
  z.config({ jitless: false });
  vi.stubGlobal('process', undefined);
  Reflect.deleteProperty(globalThis, 'process');
  vi.resetModules();
  await import('./zod.ts');
  expect(z.config().jitless).toBe(true);
});
