import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Recordings } from '@l4desk/feed';
import { ApiError, type SessionRecordings } from '@l4desk/protocol';
import { tooMany } from '../http/auth/attempt-limiter.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { requestPath, sendJson } from '../http/respond.ts';
import { type SignedInDeps, signedIn } from './signed-in.ts';

/** Path of the list of recordings. Each recording is below it, by name. */
export const RECORDINGS_PATH = '/session/recordings';

/** Maximum concurrent downloads per account. */
const DOWNLOADS_PER_ACCOUNT_MAX = 2;

export interface RecordingRoutesDeps extends SignedInDeps {
  /** Undefined if nothing is recorded. */
  readonly recordings: Recordings | undefined;
  /** How long a client may read nothing of a download before it is aborted. */
  readonly stallMs: number;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves the service's recordings to signed-in users, free of charge. Handlers throw ApiError. */
export function recordingRoutes(deps: RecordingRoutesDeps): {
  readonly list: Handler;
  readonly download: Handler;
} {
  const { recordings, stallMs } = deps;
  const downloads = new Map<string, number>();

  return {
    async list(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      await signedIn(deps, request);
      sendJson(response, 200, { recordings: [...((await recordings?.list()) ?? [])] } satisfies SessionRecordings);
    },

    async download(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      const { accountId } = await signedIn(deps, request);
      const name = requestPath(request).slice(RECORDINGS_PATH.length + 1);
      // Only valid recording names are mapped to a file.
      const path = recordings?.pathOf(name);
      const file = path === undefined ? undefined : await openFile(path);
      if (file === undefined) throw new ApiError('not_found', 'No recording has this name.');
      const underWay = downloads.get(accountId) ?? 0;
      try {
        if (underWay >= DOWNLOADS_PER_ACCOUNT_MAX)
          throw tooMany('too_many_requests', 'Too many downloads of this account are under way', 1_000);
        downloads.set(accountId, underWay + 1);
        try {
          await sendRecording(request, response, { name, file, stallMs });
        } finally {
          const left = (downloads.get(accountId) ?? 1) - 1;
          if (left > 0) downloads.set(accountId, left);
          else downloads.delete(accountId);
        }
      } finally {
        await file.close();
      }
    },
  };
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

interface Sent {
  readonly name: string;
  readonly file: FileHandle;
  readonly stallMs: number;
}

/** Sends the current content of the file, or the requested part. A recording that still grows may be cut off anywhere. */
async function sendRecording(
  request: IncomingMessage,
  response: ServerResponse,
  { name, file, stallMs }: Sent,
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
  if (request.method !== 'HEAD' && size > 0) {
    for await (const chunk of file.createReadStream({ start, end, autoClose: false })) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response, stallMs);
    }
  }
  response.end();
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

/** Waits until the client reads again or disconnects. Disconnects a client that reads nothing for `stallMs`. */
function drained(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), stallMs);
    const end = () => {
      clearTimeout(timer);
      response.off('drain', end);
      response.off('close', end);
      resolve();
    };
    response.on('drain', end);
    response.on('close', end);
    if (response.destroyed) end();
  });
}
