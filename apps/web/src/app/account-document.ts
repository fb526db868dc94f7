import type { AccountDocument } from '@l4desk/protocol';
import { useKeyLabels } from '../state/key-labels.ts';
import { readWorkspaces, useWorkspaces } from '../state/workspaces.ts';
import { readWalletBook, useWalletBook } from '../wallets/wallet-book.ts';

/** What an account keeps that has kept nothing yet. */
export const EMPTY_DOCUMENT: AccountDocument = {
  wallets: [],
  hasExamples: false,
  keyLabels: [],
  workspaces: [],
  startWorkspace: null,
};

/** What this browser has of what an account keeps. */
export function currentDocument(): AccountDocument {
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

export function applyDocument({ wallets, hasExamples, keyLabels, workspaces, startWorkspace }: AccountDocument): void {
  useWalletBook.setState({ wallets, hasExamples });
  useKeyLabels.setState({ labels: Object.fromEntries(keyLabels.map(({ shown, label }) => [shown, label])) });
  useWorkspaces.setState({ list: workspaces, start: startWorkspace });
}

/** Whether two documents, or entries of them, are equal. */
export function isSame(a: unknown, b: unknown): boolean {
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
