import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts listening. Resolves with the actual port, which matters if `port` is 0. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
