// Removes a node's hourly files that are older than KEEP_HOURS (48): a node writes about 100 GB a day and never removes any.
//   NODE_DATA_DIR=/home/node/hl/data node prune-node-files.mjs [--once]
// Without --once, it checks again every ten minutes until it is stopped.
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const LOOK_EVERY_MS = 600_000;
const HOUR_MS = 3_600_000;

/** The folders of a node's hourly files: `<kind>/hourly/<yyyymmdd>/<hour>`. */
const KIND = /^node_(?:raw_book_diffs|order_statuses|fills)_(?:by_block|streaming)$/;
const DAY = /^\d{8}$/;
const HOUR = /^(?:1?\d|2[0-3])$/;

const { NODE_DATA_DIR: root, KEEP_HOURS = '48' } = process.env;
if (!root || !/^[1-9]\d{0,4}$/.test(KEEP_HOURS)) {
  process.stderr.write('NODE_DATA_DIR must be set, and KEEP_HOURS a whole number of hours from 1.\n');
  process.exit(2);
}

/** The entries of a folder, sorted; empty if the folder does not exist. */
async function entries(folder) {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The end of a file's hour, in ms since the Unix epoch. */
function endOf(day, hour) {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)), Number(hour) + 1);
}

async function prune() {
  const keepFrom = Date.now() - Number(KEEP_HOURS) * HOUR_MS;
  for (const kind of (await entries(root)).filter((name) => KIND.test(name))) {
    for (const day of (await entries(join(root, kind, 'hourly'))).filter((name) => DAY.test(name))) {
      const folder = join(root, kind, 'hourly', day);
      const hours = await entries(folder);
      const old = hours.filter((name) => HOUR.test(name) && endOf(day, name) <= keepFrom);
      for (const hour of old) {
        await rm(join(folder, hour));
        process.stdout.write(`removed ${kind}/hourly/${day}/${hour}\n`);
      }
      if (old.length > 0 && old.length === hours.length) await rmdir(folder);
    }
  }
}

async function pruneAndReport() {
  try {
    await prune();
  } catch (error) {
    process.stderr.write(`pruning failed: ${error.message}\n`);
    process.exitCode = 1;
  }
}

await pruneAndReport();
if (!process.argv.includes('--once')) setInterval(pruneAndReport, LOOK_EVERY_MS);
