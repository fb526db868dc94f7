// What a cluster needs for so many viewers, from measured figures: which part saturates first, and what it comes to.
//
//   node scripts/capacity.mjs [--coins <busy coins>] [--gbit <of a gateway's network>] [--price-core <a month>] [--price-tb <of traffic>]
//
// docs/capacity.md says where each figure is from and holds the table that this prints without options.
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { script } from './lib/workspace.mjs';

/** Measured; docs/capacity.md has the sources. A viewer follows one coin of BTC's rate with `"statuses":"book"`. */
const BLOCKS_PER_SECOND = 14.8;
const FORMS = {
  compressed: { bytes: 1_893, deliveryUs: 3.55 },
  plain: { bytes: 15_218, deliveryUs: 7.47 },
};
/** Nobody reads all statuses: with a reader of them anywhere, a coin's blocks are 365,882 bytes more. */
const BLOCK_BYTES_ON_NATS = 15_218;
const CLIENT_KB = 9.63;
const GATEWAY_BLOCK_MS = 0.45;
const GATEWAY_BASE_MB = 400;

/** How far a part may be loaded, so that bursts are not late. */
const CPU_LOAD_MAX = 0.6;
const NETWORK_LOAD_MAX = 0.7;

const GBIT = 125_000_000;
const SECONDS_A_MONTH = 2_592_000;
/** A gateway's two busy threads, and what the rest of it needs. */
const CORES_A_GATEWAY = 3;
const CORES_BESIDE = 12;

const VIEWERS = [10_000, 100_000, 1_000_000];

/** What so many viewers need. */
export function sized(viewers, form, { coins, gbit, natsGbit, priceCore, priceTb }) {
  const { bytes, deliveryUs } = FORMS[form];
  const limits = {
    'fan-out CPU': (CPU_LOAD_MAX * 1e6) / (deliveryUs * BLOCKS_PER_SECOND),
    network: (NETWORK_LOAD_MAX * gbit * GBIT) / (bytes * BLOCKS_PER_SECOND),
  };
  const [first, perGateway] = Object.entries(limits).sort(([, a], [, b]) => a - b)[0];
  const gateways = Math.ceil(viewers / perGateway);
  const feedThread = (coins * BLOCKS_PER_SECOND * GATEWAY_BLOCK_MS) / 1000;
  const natsBytes = gateways * coins * BLOCKS_PER_SECOND * BLOCK_BYTES_ON_NATS;
  const natsServers = Math.ceil(natsBytes / (NETWORK_LOAD_MAX * natsGbit * GBIT));
  const cores = gateways * CORES_A_GATEWAY + CORES_BESIDE + natsServers * 4;
  const terabytes = (viewers * bytes * BLOCKS_PER_SECOND * SECONDS_A_MONTH) / 1e12;
  return {
    first: feedThread > CPU_LOAD_MAX ? 'feed thread' : first,
    perGateway: Math.floor(perGateway),
    gateways,
    memoryMb: Math.round(GATEWAY_BASE_MB + (Math.min(viewers, perGateway) * CLIENT_KB) / 1024),
    natsServers,
    natsGbit: natsBytes / GBIT,
    chargesPerSecond: viewers / 60,
    cores,
    terabytes,
    price: cores * priceCore + terabytes * priceTb,
  };
}

const whole = (value) => Math.round(value).toLocaleString('en-US');

/** The table, as Markdown. */
export function table(options) {
  const head = [
    'viewers',
    'frames',
    'a gateway holds',
    'saturates first',
    'gateways',
    'MB each',
    'NATS Gbit/s (servers)',
    'charges/s',
    'cores',
    'TB a month',
    'a month',
  ];
  const rows = VIEWERS.flatMap((viewers) =>
    Object.keys(FORMS).map((form) => {
      const one = sized(viewers, form, options);
      return [
        whole(viewers),
        form,
        whole(one.perGateway),
        one.first,
        whole(one.gateways),
        whole(one.memoryMb),
        `${one.natsGbit.toFixed(1)} (${one.natsServers})`,
        whole(one.chargesPerSecond),
        whole(one.cores),
        whole(one.terabytes),
        whole(one.price),
      ];
    }),
  );
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Without options: ten busy coins, 10 Gbit/s a machine, prices as an example. */
export const STANDARD = { coins: 10, gbit: 10, natsGbit: 10, priceCore: 20, priceTb: 2 };

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await script(
    () => {
      const number = { type: 'string' };
      const { values } = parseArgs({
        options: { coins: number, gbit: number, 'price-core': number, 'price-tb': number },
      });
      const given = {
        coins: values.coins,
        gbit: values.gbit,
        natsGbit: values.gbit,
        priceCore: values['price-core'],
        priceTb: values['price-tb'],
      };
      const known = Object.entries(given).filter(([, value]) => value !== undefined);
      process.stdout.write(
        `${table({ ...STANDARD, ...Object.fromEntries(known.map(([name, value]) => [name, Number(value)])) })}\n`,
      );
    },
    { help: import.meta.filename },
  );
}
