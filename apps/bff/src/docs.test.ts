import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSE_CATALOGUE, ERROR_CATALOGUE, INFO_KINDS, STREAM_ERROR_CATALOGUE } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { STREAM_REFUSALS } from './admin/reference/asyncapi.ts';
import { SETTING_NAMES, settingOf } from './config/settings.ts';
import type { CoinUniverse } from './exchange/universe.ts';
import { readClientMessage } from './stream/client-message.ts';
import { checkSubscription } from './stream/subscription.ts';

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs');
const errors = readFileSync(join(DOCS, 'errors.md'), 'utf8');
const operating = ['upstreams.md', 'settings.md']
  .map((page) => readFileSync(join(DOCS, 'operating', page), 'utf8'))
  .join('\n');

/** Renders a Markdown table. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

/** The tables of docs/errors.md that are generated from the catalogue, by the name in the comments around each. */
const TABLES = {
  http: table(
    ['`error`', 'status', 'retryable', 'meaning', 'what to do'],
    Object.values(ERROR_CATALOGUE).map(({ code, status, retryable, meaning, remedy }) => [
      `\`${code}\``,
      String(status),
      retryable ? 'yes' : 'no',
      meaning,
      remedy,
    ]),
  ),
  refusals: table(
    ['status of a refused upgrade', '`error`'],
    [...new Set(STREAM_REFUSALS.map(({ status }) => status))].map((status) => [
      String(status),
      STREAM_REFUSALS.filter((refusal) => refusal.status === status)
        .map(({ code }) => `\`${code}\``)
        .join(', '),
    ]),
  ),
  stream: table(
    ['message', 'meaning', 'what to do'],
    STREAM_ERROR_CATALOGUE.map(({ sentence, meaning, remedy }) => [`\`${sentence}\``, meaning, remedy]),
  ),
  closes: table(
    ['close code', 'meaning', 'what to do'],
    CLOSE_CATALOGUE.map(({ code, meaning, remedy }) => [String(code), meaning, remedy]),
  ),
} as const;

describe('docs/errors.md', () => {
  // After a change to the catalogue, run: npx vitest run apps/bff/src/docs.test.ts -u
  it('[INFO-5] lists exactly the error codes, stream errors and close codes of the catalogue', async () => {
    let expected = errors;
    for (const [name, rows] of Object.entries(TABLES)) {
      const place = new RegExp(`(?<=<!-- catalogue: ${name} -->\\n)[^]*(?=\\n<!-- end: ${name} -->)`);
      expect(errors).toMatch(place);
      expected = expected.replace(place, () => rows);
    }
    await expect(expected).toMatchFileSnapshot(join(DOCS, 'errors.md'));
  });

  it('[WS-12] lists every reason for a refused subscription, exactly as it is sent', () => {
    const universe: CoinUniverse = {
      isLoaded: true,
      classify: (coin) =>
        coin === 'BTC' ? 'served' : coin === '@107' ? 'unsupported' : coin === 'SOON' ? 'not-loaded' : 'unknown',
    };
    const many = Array.from({ length: 65 }, (_, n) => `C${n}`);
    const coin = 'BTC';
    const bodies: readonly object[] = [
      ...['NOPE', '@107', 'SOON', [], many, ['BTC', 'BTC'], 5].map((odd) => ({ type: 'l4BookUpdates', coin: odd })),
      { type: 'l4BookUpdates' },
      { type: 'candle', coin },
      { type: 'bbo', coin: 7 },
      { type: 'allMids', dex: 'xyz' },
      { type: 'l2Book', coin, nSigFigs: 9 },
      { type: 'l2Book', coin, mantissa: 5 },
      { type: 'l2Book', coin, nSigFigs: 5, mantissa: 3 },
      { type: 'l2Book', coin, nLevels: 0 },
      { type: 'l4BookUpdates', coin, checksum: 1 },
      { type: 'l4BookUpdates', coin, statuses: 'some' },
      { type: 'l4BookUpdates', coin, status: 1 },
      { type: 'l4BookUpdates', coin: JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`) as unknown },
    ];
    const reasons = bodies.map((subscription) => {
      const request = readClientMessage(JSON.stringify({ method: 'subscribe', subscription }));
      const checked = request.kind === 'subscribe' && checkSubscription(request.body, universe, 64);
      return checked !== false && 'reason' in checked ? checked.reason : JSON.stringify(subscription);
    });
    expect(new Set(reasons).size).toBe(bodies.length);
    for (const reason of reasons) expect(errors).toContain(`\`${reason}\``);
  });
});

const sdks = readFileSync(join(DOCS, 'sdks.md'), 'utf8');
/** The kinds in the last column of the table under a heading. */
const kindsUnder = (heading: string) => {
  const table = sdks.slice(sdks.indexOf(`| ${heading} |`)).split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .flatMap((row) => [...(row.split('|').at(-2) ?? '').matchAll(/`(\w+)`/g)].map(([, kind]) => kind));
};

it('[INFO-25, INFO-38] docs/sdks.md lists only kinds that are supported among those used by the Python SDK', () => {
  const supported = new Set<string>(Object.keys(INFO_KINDS));
  const works = kindsUnder('works');
  expect(works.length).toBeGreaterThan(10);
  expect(works.filter((kind = '') => !supported.has(kind))).toEqual([]);
});

describe('docs/operating', () => {
  // After a change of a setting, run: npx vitest run apps/bff/src/docs.test.ts -u
  it('lists every setting with its default, in the order of --help', async () => {
    const rows = SETTING_NAMES.map((name) => {
      const { fallback, about } = settingOf(name);
      const standard = fallback === undefined ? 'not set' : fallback === '' ? 'empty' : `\`${fallback}\``;
      return [`\`${name}\``, standard, about];
    });
    const page = join(DOCS, 'operating', 'settings.md');
    const expected = readFileSync(page, 'utf8').replace(
      /(?<=<!-- settings -->\n\n)[^]*(?=\n\n<!-- end: settings -->)/,
      () => table(['setting', 'default', 'meaning'], rows),
    );
    await expect(expected).toMatchFileSnapshot(page);
  });

  it('[UP-11] says that the audit bounds how long a loss without a trace can go undetected', () => {
    expect(operating.replaceAll('\n', ' ')).toContain(
      'the audit bounds how long a loss without a trace can go undetected',
    );
  });
});
