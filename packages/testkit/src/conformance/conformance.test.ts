import { afterAll, beforeAll, describe } from 'vitest';
import { authSuite } from './auth.spec.ts';
import { infoSuite } from './info.spec.ts';
import { snapshotSuite } from './snapshot.spec.ts';
import { streamSuite } from './stream.spec.ts';
import { type ConformanceTarget, conformanceTargets } from './target.ts';
import { usageSuite } from './usage.spec.ts';

const SUITES = [
  ['credentials', authSuite],
  ['queries', infoSuite],
  ['snapshots', snapshotSuite],
  ['the stream', streamSuite],
  ['usage', usageSuite],
] as const;

const targets = conformanceTargets();
afterAll(() => targets[Symbol.asyncDispose]());

// One suite after another, so that charges of one do not show in the figures of another.
describe.each(targets.named)('%s', (_name, open) => {
  let target: ConformanceTarget;
  beforeAll(async () => {
    target = await open();
  });
  const opened = () => target;

  describe.each(SUITES)('%s', (_suite, declare) => {
    declare(opened);
  });
});
