import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSE_CODES, HTTP_ERRORS, INFO_KINDS } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES, settingOf } from './config.ts';
import { answerBytesMax } from './upstream/answer-limits.ts';

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs');
const errors = readFileSync(join(DOCS, 'errors.md'), 'utf8');
const operating = readFileSync(join(DOCS, 'operating.md'), 'utf8');

describe('docs/errors.md', () => {
  it('[INFO-5] has every error code with its status, and no other', () => {
    const rows = [...errors.matchAll(/^\| `([a-z_]+)` \| (\d+) \|/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(Object.fromEntries(rows)).toEqual({ ...HTTP_ERRORS });
  });

  it('has every close code of the stream', () => {
    const documented = Object.values(CLOSE_CODES).filter((code) => errors.includes(`| ${code} |`));
    expect(documented).toEqual(Object.values(CLOSE_CODES));
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
