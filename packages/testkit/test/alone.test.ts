import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const WORKSPACE = join(import.meta.dirname, '..', '..', '..');

/** The packages that a program evaluates when it starts, and those that it can load later. */
async function packagesOf(program: string) {
  const { metafile } = await build({
    entryPoints: [join(WORKSPACE, program)],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'bundle',
    external: ['libsql'],
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
  const hasNats = (paths: ReadonlySet<string>) => [...paths].some((path) => path.includes('@nats-io'));
  return { atStart: hasNats(inputs(reached)), ever: hasNats(inputs(outputs.map(([name]) => name))) };
}

it('[CL-13] the client of NATS is evaluated by sequencers and gateways alone', async () => {
  expect(await packagesOf('apps/bff/src/main.ts')).toEqual({ atStart: false, ever: true });
  expect(await packagesOf('packages/feed/src/thread/worker.ts')).toEqual({ atStart: false, ever: false });
  expect(await packagesOf('packages/feed/src/cluster/gateway-worker.ts')).toEqual({ atStart: true, ever: true });
});
