/** Parts of the follower for whoever keeps books in another place than a client does. */
export { type SubscriptionHandlers, Subscriptions, type SubscriptionWishes } from './subscriptions.ts';
