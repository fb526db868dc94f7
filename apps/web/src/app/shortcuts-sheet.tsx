import { type Action, useActionLists, useIsKeyOn } from '../hooks/actions.ts';
import { usePreferences } from '../state/preferences.ts';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PriceTag } from '../ui/price-tag.tsx';

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
  Escape: 'Esc',
  'Mod+k': /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K',
};

function keyName(key: string): string {
  return KEY_NAMES[key] ?? key.replace(/(?<=^|\+)\w+$/, (last) => KEY_NAMES[last] ?? last).replace('+', ' ');
}

/** The most keys that fit in one column on a low screen without scrolling. */
const ONE_COLUMN = 16;

export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  const characterKeys = usePreferences((state) => state.characterKeys);
  const isKeyOn = useIsKeyOn();
  // The parts of one page share its heading.
  const scopes = new Map<string, readonly (Action & { readonly keys: string })[]>();
  const lists = useActionLists();
  for (const [at, { title, actions }] of lists.entries()) {
    // A key is that of the newest list which has it.
    const later = lists.slice(at + 1).flatMap((list) => list.actions);
    const withKey = actions.flatMap(({ keys, ...action }) =>
      keys === undefined || later.some((other) => other.keys === keys) ? [] : [{ ...action, keys }],
    );
    if (withKey.length > 0) scopes.set(title, [...(scopes.get(title) ?? []), ...withKey]);
  }
  const count = [...scopes.values()].flat().length;
  return (
    <Dialog title="Keyboard shortcuts" open onClose={onClose} width={count > ONE_COLUMN ? 'columns' : 'text'}>
      {!characterKeys && (
        <p className="pt-3">
          Shortcuts of a single character are off. Turn them on under Appearance or in the command palette.
        </p>
      )}
      <div className={count > ONE_COLUMN ? 'columns-[280px] gap-8' : undefined}>
        {[...scopes].map(([title, actions]) => (
          <section key={title} className="break-inside-avoid pt-3">
            <h3 className="text-12 font-medium text-dim">{title}</h3>
            <dl className="mt-1 grid grid-cols-[84px_1fr] items-center gap-x-4 gap-y-1.5">
              {actions.map(({ id, keys, label, price }) => (
                <div
                  key={id}
                  className={classNames(
                    'col-span-2 grid grid-cols-subgrid items-center',
                    !isKeyOn(keys) && 'text-dim line-through',
                  )}
                >
                  <dt>
                    <kbd
                      className={classNames(
                        'num inline-block min-w-7 rounded-4 border border-edge px-1.5 text-center text-12',
                        isKeyOn(keys) && 'text-strong',
                      )}
                    >
                      {keyName(keys)}
                    </kbd>
                  </dt>
                  <dd>
                    {label} {price !== undefined && <PriceTag credits={price} />}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
