/** What programs need whatever they do: waiting, reconnecting, logging and masking of secrets. Compiles without clocks, sockets, DOM and Node. */
export { type Backoff, backoffMs } from './backoff.ts';
export { Cadence, type Usual } from './cadence.ts';
export type { Clock } from './clock.ts';
export { Listeners, once } from './listeners.ts';
export type { Log } from './log.ts';
export {
  ReconnectingSocket,
  type ReconnectingSocketHandlers,
  type ReconnectingSocketSettings,
  refusedStatus,
  type SocketEnd,
} from './reconnecting-socket.ts';
export { redacted } from './redacted.ts';
export { MissingOnPlatform, type Socket, type SocketConstructor, type SocketEvent } from './socket.ts';
