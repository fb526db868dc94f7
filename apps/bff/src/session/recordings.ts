import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ApiError, type SessionRecordings } from '@l4desk/protocol';
import type { Recordings } from '@l4desk/recording/recorder';
import { Router } from 'express';
import { tooMany } from '../http/auth/attempt-limiter.ts';
import { type SignedInDeps, signedIn } from '../http/auth/sessions.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { RESPONSE_STALL_MS, sendJson } from '../http/respond.ts';

/** Path of the list of recordings. Each recording is below it, by name. */
const RECORDINGS_PATH = '/session/recordings';

/** Maximum concurrent downloads per account. */
const DOWNLOADS_PER_ACCOUNT_MAX = 2;

export interface RecordingsDeps extends SignedInDeps {
  /** Undefined if nothing is recorded. */
  readonly recordings?: Recordings | undefined;
}

/** Serves the service's recordings to signed-in users, free of charge. */
export function recordingsRouter(deps: RecordingsDeps): Router {
  const { recordings } = deps;
  const downloads = new Map<string, number>();
  const router = Router({ strict: true, caseSensitive: true });
  router
    .route(RECORDINGS_PATH)
    .get(async (request, response) => {
      await signedIn(deps, request);
      sendJson(response, 200, { recordings: [...((await recordings?.list()) ?? [])] } satisfies SessionRecordings);
    })
    .all(methodNotAllowed('GET, HEAD'));
  router
    .route(`${RECORDINGS_PATH}/:name`)
    .get(async (request, response) => {
      const { accountId } = await signedIn(deps, request);
      const { name } = request.params;
      // Only valid recording names are mapped to a file.
      const path = recordings?.pathOf(name);
      const file = path === undefined ? undefined : await openFile(path);
      if (file === undefined) throw new ApiError('not_found', 'No recording has this name.');
      const running = downloads.get(accountId) ?? 0;
      try {
        if (running >= DOWNLOADS_PER_ACCOUNT_MAX)
          throw tooMany('too_many_requests', 'Too many downloads of this account are running', 1_000);
        downloads.set(accountId, running + 1);
        try {
          await sendRecording(request, response, name, file);
        } finally {
          const left = (downloads.get(accountId) ?? 1) - 1;
          if (left > 0) downloads.set(accountId, left);
          else downloads.delete(accountId);
        }
      } finally {
        await file.close();
      }
    })
    .all(methodNotAllowed('GET, HEAD'));
  return router;
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    // The oldest recordings are removed, perhaps since the list was requested.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Sends the current content of the file, or the requested part. A recording that still grows may be cut off anywhere. */
async function sendRecording(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  file: FileHandle,
): Promise<void> {
  const { size } = await file.stat();
  const part = request.headers['if-range'] === undefined ? rangeOf(request.headers.range, size) : undefined;
  const { start, end } = part ?? { start: 0, end: size - 1 };
  response.statusCode = part === undefined ? 200 : 206;
  if (part !== undefined) response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Type', 'application/octet-stream');
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  response.setHeader('Content-Length', end - start + 1);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.method === 'HEAD' || size === 0) {
    response.end();
    return;
  }
  response.setTimeout(RESPONSE_STALL_MS, () => response.destroy());
  await pipeline(file.createReadStream({ start, end, autoClose: false }), response).catch(() => {});
}

/** The range to send if a single satisfiable one is requested. Otherwise undefined: other `Range` headers may be ignored. */
function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  return start <= end ? { start, end } : undefined;
}
