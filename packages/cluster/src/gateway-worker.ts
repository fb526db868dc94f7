/** Entry point of a gateway's L4 worker thread: a feed from the leading sequencer. Only this program loads the NATS client. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveFeed } from '@l4desk/feed/core';
import { GatewayFeed, type GatewayFeedSettings } from './gateway-feed.ts';

if (parentPort === null) throw new Error('this program must run in a worker thread');
const settings: GatewayFeedSettings = workerData;
serveFeed(parentPort, (log, deps) => new GatewayFeed(settings, log, deps));
