import { z } from '@l4desk/protocol';
import { accountStore } from './account.ts';

/** Which columns a grid shows, and in which order; ids it does not know are kept for the version that does. */
const gridLayout = z.object({ order: z.array(z.string()), hidden: z.array(z.string()) });

/** A named state of a page: its query string, as the address carries it. */
const savedView = z.object({ name: z.string().min(1), search: z.record(z.string(), z.string()) });

/** Entry by entry: one that cannot be read takes no other with it. */
const layouts = z.object({
  grids: z.record(z.string(), gridLayout.optional().catch(undefined)).transform(withoutUnread).catch({}).default({}),
  /** By page. */
  views: z
    .record(z.string(), z.array(savedView.optional().catch(undefined)).catch([]))
    .transform((pages) =>
      Object.fromEntries(
        Object.entries(pages).map(([page, views]) => [page, views.filter((view) => view !== undefined)]),
      ),
    )
    .catch({})
    .default({}),
});

function withoutUnread<T>(entries: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const read: Record<string, T> = {};
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) read[name] = value;
  return read;
}

export type GridLayout = z.infer<typeof gridLayout>;
export type SavedView = z.infer<typeof savedView>;
export type Layouts = z.infer<typeof layouts>;

interface LayoutsStore extends Layouts {
  /** Undefined goes back to the page's own layout. */
  readonly setGrid: (key: string, layout: GridLayout | undefined) => void;
  /** Keeps a view; one of the same name is replaced. */
  readonly saveView: (page: string, view: SavedView) => void;
  readonly removeView: (page: string, name: string) => void;
  readonly replace: (layouts: Layouts) => void;
}

/** Reads kept layouts of any age or origin: what is not understood is left out. */
export function readLayouts(kept: unknown): Layouts {
  return layouts.safeParse(kept).data ?? layouts.parse({});
}

export const useLayouts = accountStore<LayoutsStore>('l4desk.layouts', readLayouts, (set) => ({
  ...readLayouts({}),
  setGrid: (key, layout) =>
    set(({ grids }) => {
      const others = Object.entries(grids).filter(([other]) => other !== key);
      return { grids: Object.fromEntries(layout === undefined ? others : [...others, [key, layout]]) };
    }),
  saveView: (page, view) =>
    set(({ views }) => ({
      views: { ...views, [page]: [...(views[page] ?? []).filter(({ name }) => name !== view.name), view] },
    })),
  removeView: (page, gone) =>
    set(({ views }) => ({ views: { ...views, [page]: (views[page] ?? []).filter(({ name }) => name !== gone) } })),
  replace: ({ grids, views }) => set({ grids, views }),
}));

const NO_VIEWS: readonly SavedView[] = [];

/** The saved views of a page, oldest first. */
export function useSavedViews(page: string): readonly SavedView[] {
  return useLayouts((state) => state.views[page] ?? NO_VIEWS);
}
