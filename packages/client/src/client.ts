import { type Platform, platformWith } from './platform.ts';
import { createTransport, type Transport, type TransportSettings } from './transport.ts';

/** The address of the service, and platform parts to replace. In Node 20, pass the `WebSocket` of the `ws` package. */
export interface ClientOptions extends TransportSettings, Partial<Platform> {}

/**
 * A service and the credentials to call it. The functions of this package take it as their first argument: `openOrders(client, {
 * user })`, `follow({ client, coins })`. They are not methods, so that a page bundles only those it uses.
 */
export interface Client {
  readonly transport: Transport;
}

/** Creates a client. It sends nothing until a function is called. Throws TypeError for an invalid address. */
export function createClient(options: ClientOptions): Client {
  return { transport: createTransport(options, platformWith(options)) };
}
