// Computes what a cluster needs for a number of viewers, from measured figures: which part saturates first, and the cost.
//
//   node scripts/capacity.mjs [--coins <busy coins>] [--gbit <of a gateway's network>]
//     [--max-connections <of PostgreSQL>] [--price-core <a month>] [--price-tb <of traffic>]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { script } from './lib/workspace.mjs';

/** Measured figures, each with its text and source. A viewer follows one coin with BTC's rate and `"statuses":"book"`. */
export const MEASURED = {
  blocksPerSecond: {
    value: 14.8,
    unit: 'a second',
    figure: 'blocks of BTC',
    from: 'the recording in the tests',
  },
  plainBytes: {
    value: 15_218,
    unit: 'bytes',
    figure: 'one entry of BTC with the statuses of its diffs (with all statuses 366 KB)',
    from: 'mean of 49 recorded blocks',
  },
  compressedBytes: {
    value: 1_893,
    unit: 'bytes',
    figure: 'the same, compressed (with all statuses 24 KB)',
    from: 'the same',
  },
  compressedDeliveryUs: {
    value: 3.55,
    unit: 'µs',
    figure: 'one frame of 2 KB to one more viewer, processor',
    from: '`npm run bench -- fan-out`, two cores, otherwise idle',
  },
  plainDeliveryUs: {
    value: 7.47,
    unit: 'µs',
    figure: 'one frame of 20 KB to one more viewer, processor',
    from: 'the same',
  },
  clientKb: { value: 9.63, unit: 'KB', figure: 'memory of a client (RSS)', from: 'the same' },
  gatewayBlockMs: {
    value: 1.0,
    unit: 'ms',
    figure:
      "a block at a gateway's feed thread: 0.48 of the same block in one process (bar 1.25). With all statuses 1.46 ms: 0.32",
    from: '`npm run bench -- cluster`, two cores, otherwise idle',
  },
  gatewayBaseMb: {
    value: 407,
    unit: 'MB',
    figure: 'memory of a gateway with ten books of 99,000 orders together and one client (RSS)',
    from: '`process_resident_memory_bytes` of a gateway over NATS and PostgreSQL, simulated exchange',
  },
};

/** Set by the service, not measured: the number of connections per gateway, and how often it charges the minutes of streams. */
const POSTGRES_CONNECTIONS_A_GATEWAY = 12;
const ROUNDS_A_SECOND = 40;
/** The part of PostgreSQL's `max_connections` that is reserved for superusers. */
const RESERVED_CONNECTIONS = 3;

const BLOCKS_PER_SECOND = MEASURED.blocksPerSecond.value;
const FORMS = {
  compressed: { bytes: MEASURED.compressedBytes.value, deliveryUs: MEASURED.compressedDeliveryUs.value },
  plain: { bytes: MEASURED.plainBytes.value, deliveryUs: MEASURED.plainDeliveryUs.value },
};
/** Assumes that nobody reads all statuses: if anyone does, a coin's blocks are 365,882 bytes larger. */
const BLOCK_BYTES_ON_NATS = MEASURED.plainBytes.value;

/** Maximum load of a part, so that bursts are not delayed. */
const CPU_LOAD_MAX = 0.6;
const NETWORK_LOAD_MAX = 0.7;

const GBIT = 125_000_000;
const SECONDS_A_MONTH = 2_592_000;
/** Cores for a gateway's two busy threads and the rest of it. */
const CORES_A_GATEWAY = 3;
const CORES_BESIDE = 12;

const VIEWERS = [10_000, 100_000, 1_000_000];

/** The requirements of a number of viewers. */
export function sized(viewers, form, { coins, gbit, natsGbit, maxConnections, priceCore, priceTb }) {
  const { bytes, deliveryUs } = FORMS[form];
  const limits = {
    'fan-out CPU': (CPU_LOAD_MAX * 1e6) / (deliveryUs * BLOCKS_PER_SECOND),
    network: (NETWORK_LOAD_MAX * gbit * GBIT) / (bytes * BLOCKS_PER_SECOND),
  };
  const [first, perGateway] = Object.entries(limits).sort(([, a], [, b]) => a - b)[0];
  const gateways = Math.ceil(viewers / perGateway);
  const feedThread = (coins * BLOCKS_PER_SECOND * MEASURED.gatewayBlockMs.value) / 1000;
  const natsBytes = gateways * coins * BLOCKS_PER_SECOND * BLOCK_BYTES_ON_NATS;
  const natsServers = Math.ceil(natsBytes / (NETWORK_LOAD_MAX * natsGbit * GBIT));
  const connections = gateways * POSTGRES_CONNECTIONS_A_GATEWAY;
  const charges = viewers / 60;
  // Charges arrive at random times and those of one round share a commit: the expected number of rounds with at least one.
  const commits = gateways * ROUNDS_A_SECOND * -Math.expm1(-charges / gateways / ROUNDS_A_SECOND);
  const cores = gateways * CORES_A_GATEWAY + CORES_BESIDE + natsServers * 4;
  const terabytes = (viewers * bytes * BLOCKS_PER_SECOND * SECONDS_A_MONTH) / 1e12;
  return {
    first: saturatesFirst({ feedThread, connections, maxConnections, first }),
    perGateway: Math.floor(perGateway),
    gateways,
    memoryMb: Math.round(
      MEASURED.gatewayBaseMb.value + (Math.min(viewers, perGateway) * MEASURED.clientKb.value) / 1024,
    ),
    natsServers,
    natsGbit: natsBytes / GBIT,
    chargesPerSecond: charges,
    commitsPerSecond: commits,
    connections,
    cores,
    terabytes,
    price: cores * priceCore + terabytes * priceTb,
  };
}

/** Limits that more gateways do not raise come first. */
function saturatesFirst({ feedThread, connections, maxConnections, first }) {
  if (feedThread > CPU_LOAD_MAX) return 'feed thread';
  return connections > maxConnections - RESERVED_CONNECTIONS ? 'PostgreSQL connections' : first;
}

const whole = (value) => Math.round(value).toLocaleString('en-US');

/** The table of requirements, as Markdown. */
function table(options) {
  const head = [
    'viewers',
    'frames',
    'a gateway holds',
    'saturates first',
    'gateways',
    'MB each',
    'NATS Gbit/s (servers)',
    'charges/s',
    'PostgreSQL commits/s',
    'PostgreSQL connections',
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
        whole(one.commitsPerSecond),
        whole(one.connections),
        whole(one.cores),
        whole(one.terabytes),
        whole(one.price),
      ];
    }),
  );
  return markdown(head, rows);
}

/** The table of the measured figures, as Markdown. */
function measuredTable() {
  const rows = Object.values(MEASURED).map(({ figure, value, unit, from }) => [
    figure,
    `${value.toLocaleString('en-US', { minimumFractionDigits: unit === 'ms' ? 2 : 0 })} ${unit}`,
    from,
  ]);
  return markdown(['figure', 'value', 'from'], rows);
}

function markdown(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Defaults: ten busy coins, 10 Gbit/s per machine, PostgreSQL's default number of connections, and example prices. */
export const STANDARD = { coins: 10, gbit: 10, natsGbit: 10, maxConnections: 100, priceCore: 20, priceTb: 2 };

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await script(
    () => {
      const number = { type: 'string' };
      const { values } = parseArgs({
        options: { coins: number, gbit: number, 'max-connections': number, 'price-core': number, 'price-tb': number },
      });
      const given = {
        coins: values.coins,
        gbit: values.gbit,
        natsGbit: values.gbit,
        maxConnections: values['max-connections'],
        priceCore: values['price-core'],
        priceTb: values['price-tb'],
      };
      const known = Object.entries(given).filter(([, value]) => value !== undefined);
      process.stdout.write(
        `${table({ ...STANDARD, ...Object.fromEntries(known.map(([name, value]) => [name, Number(value)])) })}\n\n${measuredTable()}\n`,
      );
    },
    { help: import.meta.filename },
  );
}
