import { type Shortcut, useIsKeyOn, useShortcutScopes } from '../hooks/shortcuts.ts';
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

/** Every active shortcut, in as many columns as fit. */
export function ShortcutsSheet({ onClose }: { readonly onClose: () => void }) {
  const characterKeys = usePreferences((state) => state.characterKeys);
  const isKeyOn = useIsKeyOn();
  // The parts of one page share its heading.
  const scopes = new Map<string, readonly Shortcut[]>();
  for (const { title, shortcuts } of useShortcutScopes()) {
    if (shortcuts.length > 0) scopes.set(title, [...(scopes.get(title) ?? []), ...shortcuts]);
  }
  const keys = [...scopes.values()].flat().length;
  return (
    <Dialog title="Keyboard shortcuts" open onClose={onClose} width={keys > ONE_COLUMN ? 'columns' : 'text'}>
      {!characterKeys && (
        <p className="pt-3">
          Shortcuts of a single character are off. Turn them on under Appearance or in the command palette.
        </p>
      )}
      <div className={keys > ONE_COLUMN ? 'columns-[280px] gap-8' : undefined}>
        {[...scopes].map(([title, shortcuts]) => (
          <section key={title} className="break-inside-avoid pt-3">
            <h3 className="text-12 font-medium text-dim">{title}</h3>
            <dl className="mt-1 grid grid-cols-[84px_1fr] items-center gap-x-4 gap-y-1.5">
              {shortcuts.map(({ key, text, credits }) => (
                <div
                  key={key}
                  className={classNames(
                    'col-span-2 grid grid-cols-subgrid items-center',
                    !isKeyOn(key) && 'text-dim line-through',
                  )}
                >
                  <dt>
                    <kbd
                      className={classNames(
                        'num inline-block min-w-7 rounded-4 border border-edge px-1.5 text-center text-12',
                        isKeyOn(key) && 'text-strong',
                      )}
                    >
                      {keyName(key)}
                    </kbd>
                  </dt>
                  <dd>
                    {text} {credits !== undefined && <PriceTag credits={credits} />}
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
