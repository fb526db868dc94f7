import { type Platform, platformWith } from './platform.ts';
import { createTransport, type Transport, type TransportSettings } from './transport.ts';

/** Where the service is, and what of the platform to replace. In Node hand in `WebSocket` of the `ws` package. */
export interface ClientOptions extends TransportSettings, Partial<Platform> {}

/**
 * A service and the right to ask it, for the functions of this package to work with: `openOrders(client, { user })`,
 * `follow({ client, coins })`. They are not methods, so that a page bundles only those it uses.
 */
export interface Client {
  readonly transport: Transport;
}

/** Makes a client. Nothing is sent before something is asked. Throws TypeError for an address that is none. */
export function createClient(options: ClientOptions): Client {
  return { transport: createTransport(options, platformWith(options)) };
}
