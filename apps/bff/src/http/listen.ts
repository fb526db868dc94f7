import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens; resolves with the port, which is another one where 0 was asked for. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
