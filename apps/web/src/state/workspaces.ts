import { savedWindow, WORKSPACE_WINDOWS_MAX, type Workspace, workspace, z } from '@l4desk/protocol';
import { accountStore, storedList } from './account.ts';
import { usePreferences } from './preferences.ts';

export { type SavedWindow, WORKSPACE_NAME_MAX, WORKSPACE_WINDOWS_MAX, type Workspace } from '@l4desk/protocol';

/** As this browser or a file has it: what else than its name and its address cannot be read is left out. */
const storedWorkspace = workspace.extend({
  radarCoins: workspace.shape.radarCoins.catch(undefined),
  windows: storedList(savedWindow).transform((windows) => windows.slice(0, WORKSPACE_WINDOWS_MAX)),
});

const workspaces = z.object({
  list: storedList(storedWorkspace),
  /** The name of the workspace that the Book page opens with; null opens the first coin. */
  start: z.string().nullable().catch(null).default(null),
});

export type Workspaces = z.infer<typeof workspaces>;

interface WorkspacesStore extends Workspaces {
  /** Saves a workspace; one of the same name is replaced in place. */
  readonly save: (workspace: Workspace) => void;
  /** Renames a workspace. Does nothing if the new name is empty or taken. */
  readonly rename: (from: string, to: string) => void;
  readonly remove: (name: string) => void;
  /** Sets the workspace that the Book page opens with; null for none. */
  readonly startWith: (name: string | null) => void;
  /** Restores a previous list: undoes a removal. */
  readonly replace: (workspaces: Workspaces) => void;
  readonly add: (workspaces: Workspaces) => void;
}

/** Reads stored workspaces of any version or origin; skips what it cannot read. */
export function readWorkspaces(kept: unknown): Workspaces {
  const { list, start } = workspaces.safeParse(kept).data ?? workspaces.parse({});
  return { list, start: list.some(({ name }) => name === start) ? start : null };
}

function put(list: readonly Workspace[], next: Workspace): Workspace[] {
  const isKnown = list.some(({ name }) => name === next.name);
  return isKnown ? list.map((entry) => (entry.name === next.name ? next : entry)) : [...list, next];
}

export const useWorkspaces = accountStore<WorkspacesStore>('l4desk.workspaces', readWorkspaces, (set) => ({
  ...readWorkspaces({}),
  save: (next) => set(({ list }) => ({ list: put(list, next) })),
  rename: (from, to) =>
    set(({ list, start }) => {
      if (to === '' || list.some(({ name }) => name === to)) return {};
      return {
        list: list.map((entry) => (entry.name === from ? { ...entry, name: to } : entry)),
        start: start === from ? to : start,
      };
    }),
  remove: (gone) =>
    set(({ list, start }) => ({
      list: list.filter(({ name }) => name !== gone),
      start: start === gone ? null : start,
    })),
  startWith: (start) => set({ start }),
  replace: ({ list, start }) => set({ list, start }),
  add: (more) => set(({ list, start }) => ({ list: more.list.reduce(put, [...list]), start: more.start ?? start })),
}));

function workspaceHref({ coin, search }: Workspace): string {
  return `/book/${encodeURIComponent(coin)}?${new URLSearchParams(search)}`;
}

/** Applies the part of a workspace that the address does not carry, and returns its address. */
export function enterWorkspace(entered: Workspace): string {
  if (entered.radarCoins !== undefined) usePreferences.getState().set({ radarCoins: entered.radarCoins });
  return workspaceHref(entered);
}

export function startWorkspace(): Workspace | undefined {
  const { list, start } = useWorkspaces.getState();
  return list.find(({ name }) => name === start);
}
