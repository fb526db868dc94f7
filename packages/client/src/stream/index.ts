/** Parts of the follower for programs that keep books without a client. */
export { type Backoff, backoffMs } from '../backoff.ts';
export type { Clock } from '../clock.ts';
export type { Socket, SocketEvent } from '../platform.ts';
export { Cadence, type Usual } from './cadence.ts';
export {
  ReconnectingSocket,
  type ReconnectingSocketHandlers,
  type ReconnectingSocketSettings,
  refusedStatus,
  type SocketEnd,
} from './reconnecting-socket.ts';
export { type SubscriptionHandlers, Subscriptions, type SubscriptionWishes } from './subscriptions.ts';
