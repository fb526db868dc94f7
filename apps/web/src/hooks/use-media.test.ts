import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NARROW, PHONE } from './use-media.ts';

const css = readFileSync(join(import.meta.dirname, '../ui/base.css'), 'utf8');

it.each([
  ['sm', PHONE],
  ['pair', NARROW],
])('matches the breakpoint %s of class names exactly, fractional widths included', (name, query) => {
  const width = new RegExp(`--breakpoint-${name}: ([^;]+);`).exec(css)?.[1];
  expect(query).toBe(`not all and (min-width: ${width})`);
});
