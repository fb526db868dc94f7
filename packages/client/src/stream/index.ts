/** Parts of the follower for programs that keep books without a client. */
export { type SubscriptionFields, type SubscriptionHandlers, Subscriptions } from './subscriptions.ts';
