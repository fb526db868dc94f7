import type { DecodedSnapshot } from '@l4desk/protocol';
import { l4BookSnapshot } from './info/l4BookSnapshot.ts';
import { type Platform, platformWith } from './platform.ts';
import { createTransport, type QueryOptions, type Transport, type TransportSettings } from './transport.ts';

/** Where the service is, and what of the platform to replace. In Node hand in `WebSocket` of the `ws` package. */
export interface ClientOptions extends TransportSettings, Partial<Platform> {}

/** A client of the service. One function a query kind; the stream is followed with `follow({ client, … })`. */
export interface Client {
  readonly transport: Transport;
  /** The whole order-level book of one perp coin (§4.6). */
  l4BookSnapshot(request: { readonly coin: string }, options?: QueryOptions): Promise<DecodedSnapshot>;
}

export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options, platformWith(options));
  return {
    transport,
    l4BookSnapshot: (request, queryOptions) => l4BookSnapshot(transport, request, queryOptions),
  };
}
