/** `ROLE=sequencer`. Only sequencers load this module, because it loads the NATS client. */
export { ClusterSequencer } from './cluster-sequencer.ts';
