import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from './test-support/try-package.ts';

const execute = promisify(execFile);
const deploy = (path: string) => readFileSync(join(WORKSPACE, 'deploy', path), 'utf8');

describe('the systemd units', () => {
  const UNITS = ['l4desk.service', 'l4desk-prune.service', 'l4desk-prune.timer'];
  const NODE = 'l4desk-node.conf';
  const linesOf = (unit: string) =>
    deploy(`systemd/${unit}`)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));

  it('start a program of the package', () => {
    const commands = UNITS.flatMap(linesOf).flatMap((line) => /^ExecStart=(.+)$/.exec(line)?.[1] ?? []);
    expect(commands).toEqual(['/usr/bin/l4desk', '/usr/bin/node /usr/lib/l4desk/prune-node-files.mjs --once']);
  });

  it('are accepted by systemd, if it is installed', async () => {
    await using directory = await temporaryDirectory();
    const place = join(directory.path, 'system');
    mkdirSync(join(place, 'l4desk.service.d'), { recursive: true });
    // The programs are not installed here, but Node is.
    for (const unit of UNITS)
      writeFileSync(
        join(place, unit),
        deploy(`systemd/${unit}`).replace(/^ExecStart=\/usr\/bin\/\w+/m, `ExecStart=${process.execPath}`),
      );
    writeFileSync(join(place, 'l4desk.service.d', 'node.conf'), deploy(`systemd/${NODE}`));
    expect(await verified(place, UNITS)).toEqual([]);
  });

  it('start the service again after a failure, but not with invalid settings, which end it with 2', () => {
    expect(linesOf('l4desk.service')).toEqual(
      expect.arrayContaining(['Restart=on-failure', 'RestartPreventExitStatus=2']),
    );
  });

  it('run the service as the user of the node, with permission to remove snapshots, for the files of a node', () => {
    const lines = linesOf(NODE);
    expect(lines).toEqual(expect.arrayContaining(['[Service]', 'DynamicUser=no']));
    const [user = ''] = linesOf('l4desk-prune.service').filter((line) => line.startsWith('User='));
    expect(lines).toContain(user);
    const [, writable = ''] = lines.flatMap((line) => /^ReadWritePaths=(.+)$/.exec(line) ?? []);
    const [, snapshot = ''] = /NODE_SNAPSHOT_PATH=(\S+)/.exec(deploy(`systemd/${NODE}`)) ?? [];
    expect(join(snapshot, '..')).toBe(writable);
  });
});

/** Returns what systemd reports about units in a folder and their drop-ins. Empty if it is not installed. */
async function verified(folder: string, units: readonly string[]): Promise<readonly string[]> {
  const paths = units.map((unit) => join(folder, unit));
  const said = await execute('systemd-analyze', ['verify', ...paths]).then(
    ({ stdout, stderr }) => `${stdout}${stderr}`,
    (error: unknown) => {
      const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: unknown };
      return code === 'ENOENT' ? '' : String(stderr);
    },
  );
  // Findings about the machine's own units, which these units need, are ignored.
  return said.split('\n').filter((line) => line.includes(folder) || line.includes('l4desk'));
}
