// How long the first start takes: the packed command in an empty directory, and the service of `npm start`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRow } from '@l4desk/config/bench';
import { Program } from '@l4desk/testkit/stack';
import { tryPackage, WORKSPACE } from './test-support/try-package.ts';

const STARTS = 3;
const READY_MS_MAX = 10_000;
const TARBALL_BYTES_MAX = 6_000_000;
const RSS_MB_MAX = 300;

/** The time that one start took, and the memory of the service after it. */
interface Start {
  readonly ms: number;
  readonly rssMb: number;
}

/** Starts a program as a demo with an empty data directory, until it prints its URL; then ends it. */
async function start(program: string, cwd: string): Promise<Start> {
  mkdirSync(cwd, { recursive: true });
  const startedAt = performance.now();
  await using service = new Program(program, {
    env: { PORT: '0', VENUE_PORT: '0', VENUE_CONTROL_PORT: '0' },
    cwd,
  });
  const [, url = ''] = await service.printed(/^L4 Desk ready at (\S+)$/);
  const ms = performance.now() - startedAt;
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
  return {
    ms,
    rssMb: metric('process_resident_memory_bytes') / 1e6,
  };
}

/** The median of several starts, for each figure. Each start has a data directory of its own. */
async function starts(program: string, directory: string): Promise<Start> {
  const done: Start[] = [];
  for (let at = 0; at < STARTS; at += 1) done.push(await start(program, join(directory, String(at))));
  const middle = (figure: keyof Start) => done.map((one) => one[figure]).sort((a, b) => a - b)[(STARTS - 1) / 2] ?? 0;
  return { ms: middle('ms'), rssMb: middle('rssMb') };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

export default async function* bench(): AsyncGenerator<BenchRow> {
  await using tried = await tryPackage('l4desk', 'l4desk', [['apps/bff', 'libsql']]);
  const packed = await starts(join(tried.directory, 'node_modules', '.bin', 'l4desk'), join(tried.root, 'packed'));
  const whole = tried.installMs + packed.ms;
  yield {
    item: '`npx l4desk` of a tarball in an empty directory, until it prints its URL',
    ours: seconds(whole),
    limit: `of that npm, without a network, ${seconds(tried.installMs)}`,
    ratio: null,
    bar: `≤ ${seconds(READY_MS_MAX)}`,
    pass: whole <= READY_MS_MAX,
  };
  yield {
    item: 'the tarball of `l4desk`',
    ours: `${(tried.tarballBytes / 1e6).toFixed(2)} MB`,
    limit: '–',
    ratio: null,
    bar: `≤ ${TARBALL_BYTES_MAX / 1e6} MB`,
    pass: tried.tarballBytes <= TARBALL_BYTES_MAX,
  };
  const built = await starts(join(WORKSPACE, 'apps', 'bff', 'dist', 'main.js'), join(tried.root, 'built'));
  yield {
    item: 'start of the built service with the embedded database, until it prints its URL',
    ours: seconds(built.ms),
    limit: `of the packed one ${seconds(packed.ms)}`,
    ratio: null,
    bar: `≤ ${seconds(READY_MS_MAX / 2)}`,
    pass: built.ms <= READY_MS_MAX / 2,
  };
  yield {
    item: 'memory of the service that was just started (RSS)',
    ours: `${built.rssMb.toFixed(0)} MB`,
    limit: '–',
    ratio: null,
    bar: `≤ ${RSS_MB_MAX} MB`,
    pass: built.rssMb <= RSS_MB_MAX,
  };
}
