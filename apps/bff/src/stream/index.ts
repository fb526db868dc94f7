export type { StreamLimits } from './limits.ts';
export { attachStream, type Stream, type StreamHealth } from './stream.ts';
