import { ServiceError } from '@l4desk/client';
import { type AccountDocument, accountDocument, type KeptDocument, z } from '@l4desk/protocol';
import { readDocument, replaceDocument } from '../api/account-document.ts';
import { isSignedOut } from '../api/request.ts';
import { accountStore, currentAccount } from '../state/account.ts';
import { type AccountCopyState, useAccountCopy } from '../state/account-copy.ts';
import { useUnstored } from '../state/browser-storage.ts';
import { useKeyLabels } from '../state/key-labels.ts';
import { readWorkspaces, useWorkspaces } from '../state/workspaces.ts';
import { counted } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { readWalletBook, useWalletBook } from '../wallets/wallet-book.ts';

/** What the account kept when this browser last asked, by which the changes of both sides are told apart. */
interface Known {
  readonly version: number;
  readonly document: AccountDocument | null;
}

const known = z.object({ version: z.int().nonnegative(), document: accountDocument.nullable() });

const NOTHING: Known = { version: 0, document: null };

const useKnown = accountStore<Known>(
  'l4desk.account-copy',
  (stored) => known.safeParse(stored).data ?? NOTHING,
  () => NOTHING,
);

/** Changes within this time are written together, in ms. */
const WRITE_AFTER_MS = 1_000;

/** How long until a change that got no response, or was refused for now, is written again, in ms. */
const RETRY_AFTER_MS = 30_000;

/** A page that gets the focus reads the account again if it did so longer than this ago, in ms. */
const READ_AGAIN_MS = 60_000;

/**
 * Keeps the address book, the names of keys and the workspaces on the account, so that every browser has them. Ends with the
 * returned function.
 *
 * Loop "account document": one call per second while there are changes; one per 30 s while the service does not take them.
 */
export function keepOnAccount(account: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let hasEnded = false;
  const isOver = () => hasEnded || currentAccount() !== account;
  /** What is known while this browser's storage is full or closed. */
  let unstored: Known | undefined;
  const lastKnown = () => unstored ?? useKnown.getState();
  const setKnown = (next: Known) => {
    // Stored beside a book that was not, it would tell the next visit that what is missing in the book was removed.
    if (useUnstored.getState().isUnstored) unstored = next;
    else useKnown.setState(next);
  };

  const enter = (state: AccountCopyState, afterMs?: number) => {
    if (useAccountCopy.getState().state !== state) useAccountCopy.setState({ state });
    clearTimeout(timer);
    if (afterMs !== undefined) timer = setTimeout(() => void synchronise(), afterMs);
  };

  /** Merges what the account keeps into what this browser has. */
  const takeOver = ({ version, document }: KeptDocument) => {
    const before = lastKnown();
    const mine = currentDocument();
    if (document !== null) {
      // After a restore of the service's database, what is missing there was not removed by another browser.
      const base = version < before.version ? null : before.document;
      const { merged, replaced } = mergeDocuments(base ?? EMPTY_DOCUMENT, mine, document);
      if (!isSame(merged, mine)) applyDocument(merged);
      if (replaced > 0)
        toast(
          `Another browser had changed ${counted(replaced, 'entry', 'entries')} too: those of this browser are kept`,
        );
    }
    setKnown({ version, document });
    useAccountCopy.setState({ isRead: true });
  };

  const read = async () => {
    const kept = await readDocument();
    if (isOver() || kept.account !== account) return;
    readAt = performance.now();
    // Another window has written since, or the database was restored: the response to a write tells.
    if (kept.version < lastKnown().version) setKnown({ ...lastKnown(), document: null });
    else takeOver(kept);
  };

  const write = async () => {
    const { version, document: before } = lastKnown();
    const document = currentDocument();
    if (isSame(document, before ?? EMPTY_DOCUMENT)) return enter('kept');
    const outcome = await replaceDocument({ account, version, document });
    if (isOver()) return;
    // Another tab has signed in to another account; this page has not noticed yet.
    if (outcome.kind === 'conflict' && outcome.kept.account !== account) return enter('waiting', RETRY_AFTER_MS);
    if (outcome.kind === 'conflict') takeOver(outcome.kept);
    else setKnown({ version: outcome.version, document });
    if (isSame(currentDocument(), lastKnown().document)) enter('kept');
    else enter('writing', WRITE_AFTER_MS);
  };

  const synchronise = async () => {
    if (isOver()) return;
    if (isBusy) return enter('writing', WRITE_AFTER_MS);
    isBusy = true;
    try {
      if (performance.now() - readAt > READ_AGAIN_MS) await read();
      if (!isOver()) await write();
    } catch (error) {
      if (isOver()) return;
      if (error instanceof ServiceError && error.code === 'body_too_large') enter('refused');
      else enter(isSignedOut(error) ? 'signed-out' : 'waiting', RETRY_AFTER_MS);
    } finally {
      isBusy = false;
    }
  };

  const onChange = () => {
    // The stores are cleared when the account leaves.
    if (!isOver()) enter('writing', WRITE_AFTER_MS);
  };
  const stops = [
    useWalletBook.subscribe(({ wallets }, before) => {
      if (wallets !== before.wallets) onChange();
    }),
    useKeyLabels.subscribe(onChange),
    useWorkspaces.subscribe(onChange),
  ];
  const onFocus = () => {
    if (performance.now() - readAt > READ_AGAIN_MS) void synchronise();
  };
  addEventListener('focus', onFocus);
  void synchronise();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    removeEventListener('focus', onFocus);
    for (const stop of stops) stop();
  };
}

/** What an account keeps that has kept nothing yet. */
export const EMPTY_DOCUMENT: AccountDocument = {
  wallets: [],
  hasExamples: false,
  keyLabels: [],
  workspaces: [],
  startWorkspace: null,
};

function currentDocument(): AccountDocument {
  const { wallets, hasExamples } = readWalletBook(useWalletBook.getState());
  const { list, start } = readWorkspaces(useWorkspaces.getState());
  return {
    wallets: [...wallets],
    hasExamples,
    keyLabels: Object.entries(useKeyLabels.getState().labels).map(([shown, label]) => ({ shown, label })),
    workspaces: list,
    startWorkspace: start,
  };
}

function applyDocument({ wallets, hasExamples, keyLabels, workspaces, startWorkspace }: AccountDocument): void {
  useWalletBook.setState({ wallets, hasExamples });
  useKeyLabels.setState({ labels: Object.fromEntries(keyLabels.map(({ shown, label }) => [shown, label])) });
  useWorkspaces.setState({ list: workspaces, start: startWorkspace });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Merged<T> {
  readonly merged: T;
  /** How many entries both sides had changed, each in another way: this browser's were taken. */
  readonly replaced: number;
}

/**
 * Merges the changes of this browser since `base` into what the account keeps by now: wallets by address, names of keys by key,
 * workspaces by name. An entry that one side removed and the other changed stays. With an empty base, both are united.
 */
export function mergeDocuments(
  base: AccountDocument,
  mine: AccountDocument,
  theirs: AccountDocument,
): Merged<AccountDocument> {
  const wallets = mergeEntries(walletsOf(base), walletsOf(mine), walletsOf(theirs));
  const keyLabels = mergeEntries(labelsOf(base), labelsOf(mine), labelsOf(theirs));
  const workspaces = mergeEntries(workspacesOf(base), workspacesOf(mine), workspacesOf(theirs));
  const isStartMine = mine.startWorkspace !== base.startWorkspace;
  return {
    merged: {
      wallets: [...wallets.merged.values()],
      hasExamples: mine.hasExamples || theirs.hasExamples,
      keyLabels: [...keyLabels.merged.values()],
      workspaces: [...workspaces.merged.values()],
      startWorkspace: isStartMine ? mine.startWorkspace : theirs.startWorkspace,
    },
    replaced: wallets.replaced + keyLabels.replaced + workspaces.replaced,
  };
}

const walletsOf = (of: AccountDocument) => new Map(of.wallets.map((entry) => [entry.address, entry]));
const labelsOf = (of: AccountDocument) => new Map(of.keyLabels.map((entry) => [entry.shown, entry]));
const workspacesOf = (of: AccountDocument) => new Map(of.workspaces.map((entry) => [entry.name, entry]));

type Entries<T> = ReadonlyMap<string, T>;

function mergeEntries<T>(base: Entries<T>, mine: Entries<T>, theirs: Entries<T>): Merged<Entries<T>> {
  const merged = new Map(theirs);
  let replaced = 0;
  for (const key of new Set([...base.keys(), ...mine.keys()])) {
    const [before, here, there] = [base.get(key), mine.get(key), theirs.get(key)];
    if (isSame(here, before) || isSame(here, there)) continue;
    const isChangedThere = !isSame(there, before);
    if (here !== undefined) {
      merged.set(key, here);
      if (isChangedThere && there !== undefined) replaced += 1;
    } else if (!isChangedThere) merged.delete(key);
  }
  return { merged, replaced };
}
