import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const WORKSPACE = join(import.meta.dirname, '..', '..', '..');

/** Whether a program loads packages (matched by part of their path) at start, and whether it can load them at all. */
async function packagesOf(program: string, packages: string) {
  const { metafile } = await build({
    entryPoints: [join(WORKSPACE, program)],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'bundle',
    external: ['libsql', '@duckdb/node-api'],
    outdir: 'nowhere',
    write: false,
    metafile: true,
    absWorkingDir: WORKSPACE,
    logLevel: 'silent',
  });
  const outputs = Object.entries(metafile.outputs);
  const [entry] = outputs.find(([, { entryPoint }]) => entryPoint === program) ?? [];
  const reached = new Set<string>();
  const follow = (name: string | undefined) => {
    if (name === undefined || reached.has(name)) return;
    reached.add(name);
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) if (kind === 'import-statement') follow(path);
  };
  follow(entry);
  const inputs = (names: Iterable<string>) =>
    new Set([...names].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {})));
  const has = (paths: ReadonlySet<string>) => [...paths].some((path) => path.includes(packages));
  return { atStart: has(inputs(reached)), ever: has(inputs(outputs.map(([name]) => name))) };
}

it('only sequencers and gateways load the client of NATS', async () => {
  expect(await packagesOf('apps/bff/src/main.ts', '@nats-io')).toEqual({ atStart: false, ever: true });
  expect(await packagesOf('packages/feed/src/thread/worker.ts', '@nats-io')).toEqual({ atStart: false, ever: false });
  expect(await packagesOf('packages/cluster/src/gateway-worker.ts', '@nats-io')).toEqual({
    atStart: true,
    ever: true,
  });
});

it('the driver of PostgreSQL is loaded only with DATABASE_URL', async () => {
  const driver = 'node_modules/pg/';
  expect(await packagesOf('apps/bff/src/main.ts', driver)).toEqual({ atStart: false, ever: true });
  expect(await packagesOf('packages/ledger/src/database/worker.ts', driver)).toEqual({ atStart: false, ever: true });
  expect(await packagesOf('apps/cli/src/main.ts', driver)).toEqual({ atStart: false, ever: true });
});
