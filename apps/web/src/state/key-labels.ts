import { KEY_LABEL_MAX, SHOWN_KEY_PATTERN, z } from '@l4desk/protocol';
import { accountStore } from './account.ts';

/** The user's names for keys, by masked key. */
export type KeyLabels = Readonly<Record<string, string>>;

interface KeyLabelsStore {
  readonly labels: KeyLabels;
  /** Names a key; an empty text removes its name. */
  readonly setLabel: (shown: string, label: string) => void;
  readonly add: (labels: KeyLabels) => void;
}

export const KEY_LABELS_KEY = 'l4desk.key-labels';

const kept = z.object({ labels: z.unknown() });

/** Reads stored names one by one; skips entries that are not a masked key with a text. */
export function readKeyLabels(names: unknown): KeyLabels {
  const labels: Record<string, string> = {};
  for (const [shown, label] of Object.entries(z.record(z.string(), z.unknown()).safeParse(names).data ?? {})) {
    if (SHOWN_KEY_PATTERN.test(shown) && typeof label === 'string' && label !== '') {
      labels[shown] = label.slice(0, KEY_LABEL_MAX);
    }
  }
  return labels;
}

const read = (state: unknown) => ({ labels: readKeyLabels(kept.safeParse(state).data?.labels) });

export const useKeyLabels = accountStore<KeyLabelsStore>(KEY_LABELS_KEY, read, (set) => ({
  labels: {},
  setLabel: (shown, label) => set(({ labels }) => read({ labels: { ...labels, [shown]: label.trim() } })),
  add: (added) => set(({ labels }) => read({ labels: { ...labels, ...added } })),
}));
