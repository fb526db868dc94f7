import { KEY_LABEL_MAX, SHOWN_KEY_PATTERN, WORKSPACE_NAME_MAX, walletEntry, workspace } from './account-entries.ts';
import { z } from './zod.ts';

/** What an account keeps for all browsers that sign in to it. It contains no keys and no responses of the service. */
export const accountDocument = z.object({
  wallets: z.array(walletEntry),
  /** Whether a demo's example wallets were already offered, so that removed ones do not come back. */
  hasExamples: z.boolean(),
  /** The user's names for keys. A list, because a refusal names, and a log keeps, the path to what is invalid. */
  keyLabels: z.array(
    z.object({ shown: z.string().regex(SHOWN_KEY_PATTERN), label: z.string().min(1).max(KEY_LABEL_MAX) }),
  ),
  workspaces: z.array(workspace),
  /** The name of the workspace that the Book page opens with; null opens the first coin. */
  startWorkspace: z.string().max(WORKSPACE_NAME_MAX).nullable(),
});

export type AccountDocument = z.infer<typeof accountDocument>;

/** Maximum bytes of the body of `PUT /session/document`. */
export const ACCOUNT_DOCUMENT_BYTES_MAX = 262_144;

/** Body of `PUT /session/document`: a document for the account that the page shows, and the version that it replaces. */
export const documentChange = z.object({
  account: z.string().max(64),
  version: z.int().nonnegative(),
  document: accountDocument,
});

export type DocumentChange = z.infer<typeof documentChange>;

/** Response of `GET /session/document`. No document: the account keeps none yet, or none that can be read. */
export const keptDocument = documentChange.extend({ document: accountDocument.nullable() });

export type KeptDocument = z.infer<typeof keptDocument>;

/** Response of `PUT /session/document`: the new version, or, if another browser had replaced it before, what is kept now. */
export const documentReplaced = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('replaced'), version: z.int() }),
  z.object({ kind: z.literal('conflict'), kept: keptDocument }),
]);

export type DocumentReplaced = z.infer<typeof documentReplaced>;
