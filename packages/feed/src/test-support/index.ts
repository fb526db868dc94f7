/** Upstreams and measurements for the tests of packages that add to the feed. */
export { FakeUpstream } from './fake-upstream.ts';
export { LocalRig, TUNING } from './feed-rig.ts';
export { median, messagesOf, publishes, spent } from './measured-blocks.ts';
