import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { root } from '../lib/workspace.mjs';
import { faults } from './faults.mjs';
import { plant } from './run.mjs';

it.each(faults)('has a place for: $fault', (fault) => {
  const text = readFileSync(join(root, fault.file), 'utf8');
  const planted = plant(fault, text);
  expect(planted).not.toBe(text);
  // Code that does not parse would fail every test and prove nothing.
  expect(parseSync(fault.file, planted).errors).toEqual([]);
  expect(fault.tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('rejects a fault whose text is missing or occurs twice', () => {
  const fault = { fault: 'x', file: 'a.ts', find: 'a', replace: 'b', tests: [] };
  expect(plant(fault, 'cac')).toBe('cbc');
  expect(() => plant(fault, 'c')).toThrow('a.ts does not hold exactly once: a');
  expect(() => plant(fault, 'aa')).toThrow('a.ts does not hold exactly once: a');
});
