/** `ROLE=sequencer`: loaded by sequencers alone, for it brings the client of NATS. */
export { ClusterSequencer } from './cluster-sequencer.ts';
