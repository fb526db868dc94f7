import { describe, expect, it } from 'vitest';
import { checkFiles } from './check-imports.ts';

/** The problems of one file. */
const check = (path: string, text: string) => checkFiles([{ path, text }]).map(({ rule, where }) => `${rule} ${where}`);

it.each([
  ['ARCH-1', 'packages/protocol/src/a.ts', "import { decimal } from '@l4desk/decimal';"],
  ['ARCH-1', 'packages/protocol/src/a.ts', "import { readFile } from 'node:fs';"],
  ['ARCH-1', 'packages/protocol/src/a.ts', "import ky from 'ky';"],
  ['ARCH-2', 'packages/decimal/src/a.ts', "import { parse } from '@l4desk/protocol';"],
  ['ARCH-2', 'packages/decimal/src/a.ts', "import { parse, type Px } from '@l4desk/protocol';"],
  ['ARCH-2', 'packages/book/src/a.ts', "import Decimal from 'decimal.js';"],
  ['ARCH-2', 'apps/bff/src/a.test.ts', "import Decimal from 'decimal.js';"],
  ['ARCH-3', 'packages/book/src/a.ts', "import { Stream } from '@l4desk/client';"],
  ['ARCH-3', 'packages/book/src/a.ts', "import { decode } from '../../protocol/src/decode.ts';"],
  ['ARCH-3', 'packages/book/src/a.ts', "export * from '@l4desk/venue';"],
  ['ARCH-18', 'packages/insight/src/a.ts', "import { follow } from '@l4desk/client';"],
  ['ARCH-18', 'packages/insight/src/a.ts', "import { readFile } from 'node:fs';"],
  ['ARCH-19', 'packages/recording/src/format/a.ts', "import { L4Book } from '@l4desk/book';"],
  ['ARCH-19', 'packages/recording/src/replay/a.ts', "import { readFile } from 'node:fs';"],
  ['ARCH-19', 'packages/recording/src/replay/a.ts', "import { follow } from '@l4desk/client';"],
  ['ARCH-19', 'packages/recording/src/replay/a.ts', "import { DuckDBInstance } from '@duckdb/node-api';"],
  ['ARCH-19', 'apps/cli/src/a.ts', "import { DuckDBInstance } from '@duckdb/node-api';"],
  ['ARCH-15', 'packages/recording/src/format/a.ts', "import { Recorder } from '../replay/recorder.ts';"],
  ['ARCH-5', 'apps/venue/src/a.ts', "import { bookAt } from '@l4desk/recording';"],
  ['ARCH-5', 'apps/venue/src/a.ts', "import { openRecordingFile } from '@l4desk/recording/node';"],
  ['ARCH-7', 'apps/web/src/features/ladder/a.ts', "import { bookAt } from '@l4desk/recording';"],
  ['ARCH-7', 'apps/web/src/book-worker/a.ts', "import { openRecordingFile } from '@l4desk/recording/node';"],
  ['ARCH-3', 'packages/book/src/a.ts', "import { owners } from '@l4desk/insight';"],
  ['ARCH-5', 'apps/venue/src/a.ts', "import { owners } from '@l4desk/insight';"],
  ['ARCH-7', 'apps/web/src/features/ladder/a.ts', "import { owners } from '@l4desk/insight';"],
  ['ARCH-4', 'packages/client/src/a.ts', "import { useState } from 'react';"],
  ['ARCH-4', 'packages/client/src/a.test.ts', "import express from 'express';"],
  ['ARCH-4', 'packages/client/src/a.ts', "import WebSocket from 'ws';"],
  ['ARCH-5', 'apps/venue/src/a.ts', "import type { Book } from '@l4desk/book';"],
  ['ARCH-5', 'apps/venue/src/a.ts', "const book = await import('@l4desk/book');"],
  ['ARCH-5', 'apps/venue/src/a.ts', "type Book = import('@l4desk/book').Book;"],
  ['ARCH-5', 'apps/venue/src/a.test.ts', "import { Book } from '@l4desk/book';"],
  ['ARCH-5', 'apps/venue/src/a.ts', 'const part = await import(name);'],
  ['ARCH-6', 'apps/bff/src/a.ts', "import { start } from '@l4desk/venue';"],
  ['ARCH-6', 'apps/bff/src/a.ts', "new Worker(new URL('../../venue/src/main.ts', import.meta.url));"],
  ['ARCH-6', 'apps/bff/src/a.ts', "const start = require('../../venue/src/main.ts');"],
  ['ARCH-6', 'apps/bff/src/a.ts', "import { app } from '@l4desk/web';"],
  ['ARCH-7', 'apps/web/src/features/ladder/a.ts', "import { Book } from '@l4desk/book';"],
  ['ARCH-7', 'apps/web/src/api/a.ts', "import { keys } from '@l4desk/bff';"],
  ['ARCH-7', 'apps/web/src/api/a.ts', "import { readFile } from 'node:fs';"],
  ['ARCH-7', 'apps/web/src/api/a.ts', "import { keys } from '@/ui/keys';"],
  ['ARCH-8', 'apps/bff/src/a.ts', "import { startStack } from '@l4desk/testkit';"],
  ['ARCH-8', 'packages/testkit/src/a.ts', "import { app } from '@l4desk/web';"],
  ['ARCH-9', 'packages/config/src/a.ts', "import type { Px } from '@l4desk/protocol';"],
  ['ARCH-10', 'apps/web/src/features/ladder/a.ts', "import { Balance } from '../balances/balance.tsx';"],
  ['ARCH-15', 'apps/web/src/features/ladder/a.ts', "import { router } from '../../app/router.tsx';"],
  ['ARCH-15', 'apps/web/src/ui/a.ts', "import { Ladder } from '../features/ladder/ladder.tsx';"],
  ['ARCH-15', 'apps/web/src/wallets/a.ts', "import { Ladder } from '../features/ladder/ladder.tsx';"],
  ['ARCH-11', 'e2e/journeys/a.spec.ts', "import { hub } from '../../apps/bff/src/stream/hub.ts';"],
  ['ARCH-11', 'e2e/journeys/a.spec.ts', "import { Book } from '@l4desk/book';"],
  ['ARCH-11', 'e2e/journeys/a.spec.ts', "import WebSocket from 'ws';"],
  ['ARCH-13', 'packages/ledger/src/a.ts', "import type { L4Feed } from '@l4desk/feed';"],
  ['ARCH-13', 'packages/ledger/src/a.ts', "import { WebSocket } from 'ws';"],
  ['ARCH-4', 'packages/ledger/src/a.ts', "import express from 'express';"],
  ['ARCH-13', 'apps/cli/src/a.ts', "import { Kysely } from 'kysely';"],
  ['ARCH-13', 'apps/bff/src/a.test.ts', "import Database from 'libsql';"],
  ['ARCH-14', 'apps/cli/src/a.ts', "import { createService } from '@l4desk/bff';"],
  ['ARCH-14', 'apps/cli/src/a.ts', "import { startL4Feed } from '@l4desk/feed';"],
  ['ARCH-15', 'apps/bff/src/http/a.ts', "import { decode } from '../info/kind.ts';"],
  ['ARCH-15', 'apps/bff/src/info/a.ts', "import type { Stream } from '../stream/stream.ts';"],
  ['ARCH-15', 'apps/bff/src/http/a.ts', "import { createService } from '../server.ts';"],
  ['ARCH-15', 'apps/web/src/ui/a.ts', "import { client } from '../api/client.ts';"],
  ['ARCH-15', 'apps/web/src/state/a.ts', "import { useNow } from '../hooks/use-now.ts';"],
  ['ARCH-15', 'apps/web/src/book-worker/a.ts', "import type { Wallet } from '../wallets/wallet.ts';"],
  ['ARCH-15', 'apps/bff/src/attic/a.ts', "import { decode } from '../http/body.ts';"],
  ['ARCH-6', 'apps/bff/src/http/a.ts', "import { L4Book } from '@l4desk/book';"],
  ['ARCH-12', 'packages/feed/src/a.ts', "import { pino } from 'pino';"],
  ['ARCH-12', 'packages/feed/src/a.ts', "import { start } from '@l4desk/bff';"],
  ['ARCH-12', 'packages/feed/src/a.ts', "import type { Account } from '@l4desk/ledger';"],
  ['ARCH-4', 'packages/feed/src/a.ts', "import express from 'express';"],
])('finds a broken rule: %s in %s: %s', (rule, path, text) => {
  expect(check(path, text)).toEqual([`${rule} ${path}:1`]);
});

it.each([
  ['packages/protocol/src/a.ts', "import * as z from 'zod';"],
  ['packages/decimal/src/a.ts', "import { Decimal } from 'decimal.js'; import type { Px } from '@l4desk/protocol';"],
  ['packages/book/src/a.ts', "import { b } from './b.ts'; import { parse } from '@l4desk/protocol';"],
  ['packages/book/src/a.bench.ts', "import ccxt from 'ccxt'; import { feed } from '@l4desk/testkit';"],
  ['packages/insight/src/a.ts', "import type { L4Book } from '@l4desk/book'; import { add } from '@l4desk/decimal';"],
  ['apps/web/src/book-worker/a.ts', "import { owners } from '@l4desk/insight';"],
  [
    'packages/recording/src/node/a.ts',
    "import { openSync } from 'node:fs'; import { RawFrame } from '../format/frame.ts';",
  ],
  ['packages/recording/src/replay/a.ts', "import { L4Book } from '@l4desk/book';"],
  ['apps/venue/src/a.ts', "import { openRecording } from '@l4desk/recording/format';"],
  ['apps/web/src/book-worker/a.ts', "import { bookAt } from '@l4desk/recording';"],
  ['packages/client/examples/a.ts', "import { WebSocket } from 'ws';"],
  ['packages/client/src/a.test.ts', "import WebSocket from 'ws'; import { once } from 'node:events';"],
  ['apps/venue/src/a.ts', "import { pino } from 'pino'; import { createServer } from 'node:http';"],
  ['apps/web/src/book-worker/worker.ts', "import { Book } from '@l4desk/book';"],
  ['apps/web/src/book-worker/a.ts', "new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });"],
  [
    'apps/web/src/features/ladder/a.tsx',
    "import { Rows } from './rows.tsx'; import { Button } from '../../ui/button.tsx';",
  ],
  ['apps/web/src/features/orders/a.ts', "import { useWallet } from '../../wallets/wallet-book.ts';"],
  ['apps/web/src/app/router.tsx', "import { Ladder } from '../features/ladder/ladder.tsx';"],
  ['apps/web/vite.config.ts', "import { join } from 'node:path'; import react from '@vitejs/plugin-react';"],
  ['e2e/journeys/a.spec.ts', "import { test } from '@playwright/test'; import { startStack } from '@l4desk/testkit';"],
])('accepts what the table allows: %s: %s', (path, text) => {
  expect(check(path, text)).toEqual([]);
});

describe('[DEC-6] a price or a size never becomes a float', () => {
  it.each([
    ['packages/book/src/a.ts', 'const level = parseFloat(text);'],
    ['packages/book/src/a.ts', 'const level = Number.parseFloat(text);'],
    ['apps/bff/src/a.ts', 'const level = Number(order.limitPx);'],
    ['apps/bff/src/a.ts', "const level = Number(order['sz']);"],
    ['apps/web/src/features/ladder/a.ts', 'const total = +row?.sz;'],
  ])('%s: %s', (path, text) => {
    expect(check(path, text)).toEqual([`DEC-6 ${path}:1`]);
  });

  it('pixels and counts may become floats', () => {
    expect(check('apps/web/src/features/ladder/draw-row.ts', 'const width = Number(row.sz);')).toEqual([]);
    expect(check('apps/bff/src/a.ts', 'const port = Number(env.PORT);')).toEqual([]);
  });
});

it('names a file that does not parse', () => {
  expect(() => check('packages/book/src/broken.ts', 'const = 1;')).toThrow('packages/book/src/broken.ts');
});
