/** Entry point of the L4 worker thread for `NODE_DATA_DIR`: runs a feed that reads the files of a node. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveFeed } from '@l4desk/feed/core';
import { type NodeFeedSettings, openNodeFeed } from './node-feed.ts';

if (parentPort === null) throw new Error('this program must run in a worker thread');
const settings: NodeFeedSettings = workerData;
serveFeed(parentPort, (log, deps) => openNodeFeed(settings, log, deps));
