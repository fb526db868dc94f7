import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSE_CATALOGUE, ERROR_CATALOGUE, INFO_KINDS, STREAM_ERROR_CATALOGUE } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES, settingOf } from './config.ts';
import { STREAM_REFUSALS } from './reference/asyncapi.ts';
import { answerBytesMax } from './upstream/answer-limits.ts';

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs');
const errors = readFileSync(join(DOCS, 'errors.md'), 'utf8');
const operating = readFileSync(join(DOCS, 'operating.md'), 'utf8');

/** Rows of a Markdown table under its head. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

/** The tables of docs/errors.md that are made from the catalogue, by the name in the comments around each. */
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
    ['sentence', 'meaning', 'what to do'],
    STREAM_ERROR_CATALOGUE.map(({ sentence, meaning, remedy }) => [`\`${sentence}\``, meaning, remedy]),
  ),
  closes: table(
    ['close code', 'meaning', 'what to do'],
    CLOSE_CATALOGUE.map(({ code, meaning, remedy }) => [String(code), meaning, remedy]),
  ),
} as const;

describe('docs/errors.md', () => {
  // After a change of the catalogue: npx vitest run apps/bff/src/docs.test.ts -u
  it('[INFO-5] has every error code, stream error and close code as the catalogue has it, and no other', async () => {
    let expected = errors;
    for (const [name, rows] of Object.entries(TABLES)) {
      const place = new RegExp(`(?<=<!-- catalogue: ${name} -->\\n)[^]*(?=\\n<!-- end: ${name} -->)`);
      expect(errors).toMatch(place);
      expected = expected.replace(place, () => rows);
    }
    await expect(expected).toMatchFileSnapshot(join(DOCS, 'errors.md'));
  });
});

describe('docs/operating.md', () => {
  it('[SET-3] has every setting with its default, in the order of --help', () => {
    const rows = SETTING_NAMES.map((name) => {
      const { fallback, about } = settingOf(name);
      const standard = fallback === undefined ? 'not set' : fallback === '' ? 'empty' : `\`${fallback}\``;
      return `| \`${name}\` | ${standard} | ${about} |`;
    });
    expect(operating).toContain(rows.join('\n'));
  });

  it('[WS-27] has the limits of the stream with their values', () => {
    for (const name of [
      'STREAM_CONNECTIONS_PER_KEY_MAX',
      'SUBSCRIPTION_COINS_MAX',
      'CONNECTION_COINS_MAX',
      'CLIENT_MESSAGES_PER_SECOND_MAX',
      'CLIENT_FRAME_BYTES_MAX',
      'UNSENT_BYTES_MAX',
      'UNSENT_BYTES_PER_ACCOUNT_MAX',
      'UNSENT_BYTES_TOTAL_MAX',
    ] as const)
      expect(operating).toContain(`| ${settingOf(name).fallback} | \`${name}\` |`);
  });

  it('[UP-28] has the limit of each kind of answer', () => {
    const limits = new Map(
      [...operating.matchAll(/^\| (.+) \| (\d+) (KiB|MiB) \|$/gm)].flatMap(([, kinds = '', size, unit]) =>
        [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => [kind, Number(size) * (unit === 'KiB' ? 1024 : 1024 * 1024)]),
      ),
    );
    const kinds = Object.keys(INFO_KINDS).filter((kind) => kind !== 'l4BookSnapshot' && !kind.startsWith('batch'));
    expect(limits).toEqual(new Map(kinds.map((kind) => [kind, answerBytesMax(kind)])));
    expect(operating).toContain(
      `\`UPSTREAM=service\` | ${answerBytesMax('batchClearinghouseState') / 1024 / 1024} MiB |`,
    );
  });

  it('[UP-11] says that the audit bounds the time to find a loss without a trace', () => {
    expect(operating.replaceAll('\n', ' ')).toContain(
      'the audit bounds the time for which a loss without a trace can go unnoticed',
    );
  });
});
