import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@l4desk/protocol';
import { makeDirectory } from './make-directory.ts';

/** The folder in `DATA_DIR` where running services publish their addresses, one file each: `running/<pid>.json`. */
const FOLDER = 'running';

const address = z.object({ url: z.url(), port: z.int(), pid: z.int(), startedAt: z.int() });

/** How a running service is reached on its own machine. `startedAt` is in ms since the Unix epoch. */
export type ServiceAddress = z.infer<typeof address>;

export const SERVICE_DEFAULTS = { HOST: '127.0.0.1', PORT: '4400', DATA_DIR: '.data' } as const;

/** Whether a host means every local address. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]';
}

/** Returns the URL that reaches a service on its own machine, whatever address it listens on. */
export function localUrl(host: string, port: number): string {
  const name = isWildcard(host) ? (host === '0.0.0.0' ? '127.0.0.1' : '[::1]') : host;
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}

/** Writes the address of this process to the data directory for the command line. The result removes it. */
export function announceService(
  directory: string,
  { host, port }: { readonly host: string; readonly port: number },
): () => void {
  const folder = join(directory, FOLDER);
  makeDirectory(folder);
  for (const { path, address: other } of notes(folder))
    if (other === undefined || !isAlive(other.pid)) rmSync(path, { force: true });
  const path = join(folder, `${process.pid}.json`);
  const own: ServiceAddress = { url: localUrl(host, port), port, pid: process.pid, startedAt: Date.now() };
  // Concurrent readers find the complete file or none.
  writeFileSync(`${path}.new`, JSON.stringify(own), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
}

/** Returns the services that run on this data directory, last started first. */
export function runningServices(directory: string): readonly ServiceAddress[] {
  return notes(join(directory, FOLDER))
    .flatMap(({ address: found }) => (found !== undefined && isAlive(found.pid) ? [found] : []))
    .sort((a, b) => b.startedAt - a.startedAt);
}

/** The files of the folder. A file that cannot be read gives no address. */
function notes(folder: string): readonly { readonly path: string; readonly address: ServiceAddress | undefined }[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const ofProcesses = names.filter((name) => /^\d+\.json$/.test(name));
  return ofProcesses.map((name) => {
    const path = join(folder, name);
    try {
      return { path, address: address.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data };
    } catch {
      return { path, address: undefined };
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user also exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
