/** Client of the service: typed queries, and followed books that are exact or say that they are not. */

export { WireFormatError } from '@l4desk/protocol';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ServiceError, TransportError, type TransportErrorCode } from './errors.ts';
export { follow } from './follow/follow.ts';
export { FOLLOW_DEFAULTS } from './follow/settings.ts';
export * from './follow/types.ts';
export type { Fetch, FetchAnswer, Platform, Signal, Socket, SocketConstructor, Timers } from './platform.ts';
export type { ConnectionState, DisconnectReason, StopReason } from './stream/state.ts';
export type { QueryOptions, Transport, TransportSettings } from './transport.ts';
