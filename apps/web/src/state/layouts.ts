import { z } from '@l4desk/protocol';
import { accountStore, storedList } from './account.ts';

/** Which columns a grid shows, in which order. Unknown ids are kept for the version that knows them. */
const gridLayout = z.object({ order: z.array(z.string()), hidden: z.array(z.string()) });

/** A named page state: its query string, as in the address. */
const savedView = z.object({ name: z.string().min(1), search: z.record(z.string(), z.string()) });

const layouts = z.object({
  grids: z
    .record(z.string(), z.unknown())
    .transform((read) =>
      Object.fromEntries(
        Object.entries(read).flatMap(([grid, layout]) => {
          const { data } = gridLayout.safeParse(layout);
          return data === undefined ? [] : [[grid, data]];
        }),
      ),
    )
    .catch({})
    .default({}),
  views: z.record(z.string(), storedList(savedView)).catch({}).default({}),
});

export type GridLayout = z.infer<typeof gridLayout>;
export type SavedView = z.infer<typeof savedView>;
export type Layouts = z.infer<typeof layouts>;

interface LayoutsStore extends Layouts {
  /** Undefined resets to the page's default layout. */
  readonly setGrid: (key: string, layout: GridLayout | undefined) => void;
  /** Saves a view in place of one of the same name, else at this index, or last. */
  readonly saveView: (page: string, view: SavedView, at?: number) => void;
  readonly removeView: (page: string, name: string) => void;
  readonly replace: (layouts: Layouts) => void;
}

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
  saveView: (page, view, at) => set(({ views }) => ({ views: { ...views, [page]: put(views[page] ?? [], view, at) } })),
  removeView: (page, gone) =>
    set(({ views }) => ({ views: { ...views, [page]: (views[page] ?? []).filter(({ name }) => name !== gone) } })),
  replace: ({ grids, views }) => set({ grids, views }),
}));

function put(views: readonly SavedView[], view: SavedView, at = views.length): SavedView[] {
  const isKnown = views.some(({ name }) => name === view.name);
  return isKnown ? views.map((other) => (other.name === view.name ? view : other)) : views.toSpliced(at, 0, view);
}

const NO_VIEWS: readonly SavedView[] = [];

/** The saved views of a page, oldest first. */
export function useSavedViews(page: string): readonly SavedView[] {
  return useLayouts((state) => state.views[page] ?? NO_VIEWS);
}
