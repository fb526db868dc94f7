import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../lib/workspace.mjs';
import { faults } from './faults.mjs';
import { plant } from './run.mjs';

it.each(faults)('has a place for: $fault', (fault) => {
  const text = readFileSync(join(root, fault.file), 'utf8');
  expect(plant(fault, text)).not.toBe(text);
  expect(fault.tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('refuses a fault whose place is not there, or there twice', () => {
  const fault = { fault: 'x', file: 'a.ts', find: 'a', replace: 'b', tests: [] };
  expect(plant(fault, 'cac')).toBe('cbc');
  expect(() => plant(fault, 'c')).toThrow('a.ts does not hold exactly once: a');
  expect(() => plant(fault, 'aa')).toThrow('a.ts does not hold exactly once: a');
});
