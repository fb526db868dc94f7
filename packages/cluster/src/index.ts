/** Several processes that share one upstream over NATS: a leading sequencer and gateways. It loads the NATS client. */
export { ClusterSequencer } from './cluster-sequencer.ts';
export type { GatewayFeedSettings } from './gateway-feed.ts';
export type { ClusterSettings } from './nats-link.ts';
