import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSE_CODES, HTTP_ERRORS } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES, settingOf } from './config.ts';

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

  it('[UP-11] says that the audit bounds the time to find a loss without a trace', () => {
    expect(operating.replaceAll('\n', ' ')).toContain(
      'the audit bounds the time for which a loss without a trace can go unnoticed',
    );
  });
});
