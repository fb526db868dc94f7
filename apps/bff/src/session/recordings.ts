import { basename, dirname } from 'node:path';
import { ApiError, type SessionRecordings } from '@l4desk/protocol';
import type { Recordings } from '@l4desk/recording/recorder';
import { type Response, Router } from 'express';
import { tooMany } from '../http/auth/attempt-limiter.ts';
import { type SignedInDeps, signedIn } from '../http/auth/sessions.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { RESPONSE_STALL_MS, sendJson } from '../http/respond.ts';

/** Path of the list of recordings. Each recording is below it, by name. */
const RECORDINGS_PATH = '/session/recordings';

const DOWNLOADS_PER_ACCOUNT_MAX = 2;

export interface RecordingsDeps extends SignedInDeps {
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
      if (path === undefined) throw noRecording();
      const running = downloads.get(accountId) ?? 0;
      if (running >= DOWNLOADS_PER_ACCOUNT_MAX)
        throw tooMany('too_many_requests', 'Too many downloads of this account are running', 1_000);
      downloads.set(accountId, running + 1);
      try {
        await send(response, path, name);
      } finally {
        const left = (downloads.get(accountId) ?? 1) - 1;
        if (left > 0) downloads.set(accountId, left);
        else downloads.delete(accountId);
      }
    })
    .all(methodNotAllowed('GET, HEAD'));
  return router;
}

/** Sends the current content of the file, or the requested part. A recording that still grows may be cut off anywhere. */
function send(response: Response, path: string, name: string): Promise<void> {
  response.setTimeout(RESPONSE_STALL_MS, () => response.destroy());
  response.set({
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  const options = { root: dirname(path), cacheControl: false, etag: false, lastModified: false };
  return new Promise((resolve, reject) => {
    response.sendFile(basename(path), options, (error: (NodeJS.ErrnoException & { status?: number }) | undefined) => {
      // The oldest recordings are removed, perhaps since the list was requested. A client may leave.
      if (error?.code === 'ENOENT') reject(noRecording());
      else if (error?.status === 416) resolve(void response.status(416).end());
      else if (error !== undefined && !response.headersSent) reject(error);
      else resolve();
    });
  });
}

function noRecording(): ApiError {
  return new ApiError('not_found', 'No recording has this name.');
}
