/** Parts of the follower for programs that keep books without a client. */
export { type SubscriptionHandlers, Subscriptions, type SubscriptionWishes } from './subscriptions.ts';
