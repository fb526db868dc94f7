/** Entry point of the L4 worker thread of a gateway: a feed from the leading sequencer. It alone brings the client of NATS. */
import { parentPort, workerData } from 'node:worker_threads';
import type { GatewayFeedSettings } from '../settings.ts';
import { serveFeed } from '../thread/serve-feed.ts';
import { GatewayFeed } from './gateway-feed.ts';

if (parentPort === null) throw new Error('this program must run in a worker thread');
const settings: GatewayFeedSettings = workerData;
serveFeed(parentPort, (log, deps) => new GatewayFeed(settings, log, deps));
