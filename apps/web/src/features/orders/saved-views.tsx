import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type SavedView, useLayouts, useSavedViews } from '../../state/layouts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { passFocus } from '../../ui/pass-focus.ts';
import { PopoverClose } from '../../ui/popover.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';

/** Parameters that are not part of a view: the open order and panel. */
const PASSING: ReadonlySet<string> = new Set(['row', 'panel']);

const NAME_MAX = 60;

/** Named states of the page, stored in this browser: wallets, filters and sort order, as in the address. */
export function SavedViews({ page }: { readonly page: string }) {
  const views = useSavedViews(page);
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const saveView = useLayouts((state) => state.saveView);
  const removeView = useLayouts((state) => state.removeView);
  const [name, setName] = useState('');
  const now: Record<string, string> = {};
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'string' && !PASSING.has(key)) now[key] = value;
  }
  const isCurrent = (kept: Readonly<Record<string, string>>) =>
    Object.keys(kept).length === Object.keys(now).length &&
    Object.entries(kept).every(([key, value]) => now[key] === value);
  const given = name.trim();
  const isTooLong = given.length > NAME_MAX;
  const save = () => {
    if (given === '' || isTooLong) return;
    const before = views.find((view) => view.name === given);
    saveView(page, { name: given, search: now });
    setName('');
    toast(
      `View “${given}” ${before ? 'replaced' : 'saved'}`,
      before && { text: 'Undo', run: () => saveView(page, before) },
    );
  };
  const remove = (view: SavedView, button: HTMLElement) => {
    // The button goes with its row: the focus stays in the menu.
    passFocus(button);
    removeView(page, view.name);
    const at = views.indexOf(view);
    toast(`View “${view.name}” removed`, { text: 'Undo', run: () => saveView(page, view, at) });
  };
  return (
    <MenuButton icon={Bookmark} name="Saved views" text="Views">
      <div className="flex w-72 max-w-full flex-col gap-2">
        {views.length === 0 && (
          <p className="text-dim">No saved views yet. A view stores wallets, filters and sort order under a name.</p>
        )}
        <ul aria-label="Saved views" className="flex max-h-80 flex-col overflow-y-auto">
          {views.map((view) => (
            <li key={view.name} className="flex items-center justify-between gap-2">
              <span className="mr-auto flex min-w-0 *:shrink">
                <PopoverClose asChild>
                  <Button
                    aria-pressed={isCurrent(view.search)}
                    title={view.name}
                    onClick={() => void navigate({ to: '.', search: view.search })}
                  >
                    <span className="truncate">{view.name}</span>
                  </Button>
                </PopoverClose>
              </span>
              <IconButton
                icon={Trash2}
                name={`Remove the view ${view.name}`}
                onClick={({ currentTarget }) => remove(view, currentTarget)}
              />
            </li>
          ))}
        </ul>
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <TextField
            label="Save this view as"
            value={name}
            onChange={setName}
            error={isTooLong ? `A name has at most ${NAME_MAX} characters.` : undefined}
          />
          <Button look="primary" submit disabled={given === '' || isTooLong}>
            Save
          </Button>
        </form>
      </div>
    </MenuButton>
  );
}
