/** Entry point of the L4 worker thread: runs a feed that reads the upstream itself. */
import { parentPort, workerData } from 'node:worker_threads';
import { openLocalFeed } from '../local/local-feed.ts';
import type { L4FeedSettings } from '../settings.ts';
import { serveFeed } from './serve-feed.ts';

if (parentPort === null) throw new Error('this program must run in a worker thread');
const settings: L4FeedSettings = workerData;
serveFeed(parentPort, (log, deps) => openLocalFeed(settings, log, deps));
