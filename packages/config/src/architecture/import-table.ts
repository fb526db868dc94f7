/** The parts of the workspace, by the last segment of their folder. */
export const PARTS = [
  'config',
  'protocol',
  'runtime',
  'decimal',
  'book',
  'insight',
  'recording',
  'client',
  'feed',
  'feed-node',
  'cluster',
  'ledger',
  'testkit',
  'venue',
  'bff',
  'cli',
  'web',
  'e2e',
] as const;

/** One part of the workspace. */
export type Part = (typeof PARTS)[number];

/** What a part's own code may import. Its tests may also import the test kit, the shared settings and Node. */
export interface ImportRule {
  /** The row's name in reports. */
  readonly id: string;
  /** Parts it may import. */
  readonly parts: readonly Part[];
  /** Parts that it may import by type only. */
  readonly types?: readonly Part[];
  /** Parts that it may import only inside some of its folders: folders by part. */
  readonly within?: Readonly<Partial<Record<Part, string | readonly string[]>>>;
  /** The only packages that its code may import; absent: any that `PACKAGE_OWNERS` gives to no other part. */
  readonly packages?: readonly string[];
  /** Packages that its code may import only inside one of its folders: folder by package. */
  readonly packagesWithin?: Readonly<Record<string, string>>;
  /** Whether its code may import Node's own modules, or the only folder whose code may. */
  readonly node: boolean | string;
  /** Parts of which it may import only one entry, given by its full name. */
  readonly entries?: Readonly<Partial<Record<Part, string>>>;
}

/** The import table: which part may import what. */
export const IMPORT_TABLE: Readonly<Record<Part, ImportRule>> = {
  protocol: { id: 'ARCH-1', parts: [], packages: ['zod', 'zod-openapi'], node: false },
  // Only where running services are announced is there a wire shape.
  runtime: { id: 'ARCH-4', parts: [], within: { protocol: 'src/node/' }, packages: [], node: 'src/node/' },
  decimal: { id: 'ARCH-2', parts: [], types: ['protocol'], packages: ['decimal.js'], node: false },
  book: { id: 'ARCH-3', parts: ['protocol', 'decimal'], packages: [], node: false },
  insight: { id: 'ARCH-18', parts: ['protocol', 'decimal', 'book'], packages: [], node: false },
  recording: {
    id: 'ARCH-19',
    parts: ['protocol'],
    // The format can be read without the book, as the simulator does.
    within: {
      book: ['src/replay/', 'src/node/recorder/'],
      feed: 'src/node/recorder/',
      runtime: 'src/node/recorder/',
    },
    packages: [],
    packagesWithin: { '@duckdb/node-api': 'src/node/' },
    node: 'src/node/',
  },
  client: { id: 'ARCH-4', parts: ['protocol', 'runtime', 'book', 'insight'], packages: [], node: false },
  // Never `book`: the simulator is the reference that the book is tested against, and a shared bug would go unnoticed.
  venue: {
    id: 'ARCH-5',
    parts: ['protocol', 'decimal', 'recording'],
    entries: { recording: '@l4desk/recording/format' },
    node: true,
  },
  feed: {
    id: 'ARCH-12',
    parts: ['protocol', 'runtime', 'decimal', 'book', 'client'],
    packages: ['ws'],
    node: true,
  },
  'feed-node': {
    id: 'ARCH-12',
    parts: ['protocol', 'runtime', 'decimal', 'book', 'feed'],
    entries: { feed: '@l4desk/feed/core' },
    packages: [],
    node: true,
  },
  cluster: {
    id: 'ARCH-12',
    parts: ['protocol', 'runtime', 'book', 'feed'],
    within: { ledger: 'src/spool/' },
    entries: { feed: '@l4desk/feed/core' },
    packages: ['@nats-io/jetstream', '@nats-io/kv', '@nats-io/transport-node'],
    packagesWithin: { libsql: 'src/spool/' },
    node: true,
  },
  ledger: {
    id: 'ARCH-13',
    parts: ['protocol', 'runtime'],
    packages: ['kysely', 'libsql', 'lru-cache', 'pg'],
    node: true,
  },
  // Books and their sync come only through `feed`.
  bff: {
    id: 'ARCH-6',
    parts: ['protocol', 'runtime', 'decimal', 'feed', 'feed-node', 'cluster', 'recording', 'ledger'],
    entries: { recording: '@l4desk/recording/recorder' },
    node: true,
  },
  cli: {
    id: 'ARCH-14',
    parts: ['protocol', 'runtime', 'decimal', 'book', 'insight', 'recording', 'client', 'ledger'],
    packages: ['commander', 'ws'],
    node: true,
  },
  web: {
    id: 'ARCH-7',
    parts: ['protocol', 'runtime', 'decimal', 'client'],
    within: { book: 'src/book-worker/', insight: 'src/book-worker/', recording: 'src/book-worker/' },
    entries: { recording: '@l4desk/recording' },
    node: false,
  },
  testkit: {
    id: 'ARCH-8',
    parts: [
      'protocol',
      'runtime',
      'decimal',
      'book',
      'insight',
      'recording',
      'client',
      'feed',
      'ledger',
      'venue',
      'bff',
    ],
    node: true,
  },
  config: { id: 'ARCH-9', parts: [], node: true },
  e2e: { id: 'ARCH-11', parts: ['testkit'], packages: ['@playwright/test', 'axe-core'], node: true },
};

/** Parts whose code compiles without clocks, sockets, DOM and Node. */
export const PURE_PARTS = [
  'protocol',
  'runtime',
  'decimal',
  'book',
  'insight',
  'recording',
  'client',
] as const satisfies readonly Part[];

/** Packages that only one part may import. */
export const PACKAGE_OWNERS: readonly {
  readonly pattern: RegExp;
  readonly owner: Part;
  /** Another part that may import it. */
  readonly also?: Part;
  readonly id: string;
}[] = [
  { pattern: /^decimal\.js$/, owner: 'decimal', id: 'ARCH-2' },
  { pattern: /^(react|react-dom|radix-ui|zustand|lucide-react|@tanstack\/.*)$/, owner: 'web', id: 'ARCH-4' },
  { pattern: /^(express|helmet|cors|cookie|negotiator|proxy-addr)$/, owner: 'bff', id: 'ARCH-4' },
  { pattern: /^kysely$/, owner: 'ledger', id: 'ARCH-13' },
  // The spool is a file of its own.
  { pattern: /^libsql$/, owner: 'ledger', also: 'cluster', id: 'ARCH-13' },
  { pattern: /^@nats-io\/.*$/, owner: 'cluster', id: 'ARCH-12' },
  { pattern: /^@duckdb\//, owner: 'recording', id: 'ARCH-19' },
  // The test kit starts real servers.
  { pattern: /^pg$/, owner: 'ledger', also: 'testkit', id: 'ARCH-13' },
];

/** The top-level folders and files of a part, by layer, the highest first: imports go down only (ARCH-15). */
export const LAYERS: Readonly<Partial<Record<Part, readonly (readonly string[])[]>>> = {
  bff: [
    ['main', 'index'],
    ['start'],
    ['server', 'sequencer', 'demo'],
    ['app'],
    ['context'],
    // Pages for operators read figures of the layers below.
    ['admin'],
    ['pages', 'usage', 'session', 'stream'],
    // The stream serves posted queries like `POST /info`.
    ['info'],
    ['exchange'],
    ['http'],
    ['log'],
    ['config'],
  ],
  feed: [
    ['index', 'core'],
    ['thread'],
    ['local', 'relay'],
    ['sources', 'sequencer', 'channels'],
    ['blocks'],
    ['settings'],
    ['api'],
  ],
  // `format` is separate: it is read without the book.
  recording: [['index'], ['node'], ['replay'], ['format']],
  web: [
    ['main'],
    ['app'],
    ['features'],
    ['wallets'],
    ['book-worker'],
    ['api'],
    // A grid stores its columns and every page its density, so the kit is above the stored page state.
    ['ui'],
    ['hooks'],
    ['state'],
  ],
};
