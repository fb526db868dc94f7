import { useRouter } from '@tanstack/react-router';
import { Check, LayoutDashboard, Pencil, Save, Star, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWithKey } from '../../../hooks/actions.ts';
import { useWorkspaces, WORKSPACE_NAME_MAX, WORKSPACE_WINDOWS_MAX, type Workspace } from '../../../state/workspaces.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted } from '../../../ui/format.ts';
import { passFocus } from '../../../ui/pass-focus.ts';
import { Popover } from '../../../ui/popover.tsx';
import { PriceTag } from '../../../ui/price-tag.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { BOOK_CREDITS } from '../books/books.ts';
import { usePageMenu } from '../page-menu.ts';
import { openWorkspace } from '../pop/windows.ts';
import { isWorkspace } from './current-workspace.ts';

type PageState = Omit<Workspace, 'name'>;

interface WorkspacesMenuProps {
  /** Reads what the page shows; the settings and the windows beside it may have changed since it was drawn. */
  readonly read: () => PageState;
}

/**
 * Named arrangements of this page: ladders, columns, panes, sizes, groupings, the radar's coins and the windows beside it, kept for
 * the account.
 */
export function WorkspacesMenu({ read }: WorkspacesMenuProps) {
  const withKey = useWithKey();
  const { open, onOpenChange } = usePageMenu('workspaces');
  return (
    <Popover
      name="Workspaces"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <Button icon={LayoutDashboard} aria-label="Workspaces" title={withKey('Workspaces', 'workspaces')}>
          <span className="sr-only">Workspaces</span>
        </Button>
      }
    >
      <List read={read} onClose={() => onOpenChange(false)} />
    </Popover>
  );
}

function List({ read, onClose }: WorkspacesMenuProps & { readonly onClose: () => void }) {
  const now = read();
  const router = useRouter();
  const list = useWorkspaces((state) => state.list);
  const [name, setName] = useState('');
  const given = name.trim();
  const enter = (entered: Workspace) => {
    onClose();
    void router.navigate({ href: openWorkspace(entered) });
  };
  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      {list.length === 0 && (
        <p className="text-dim">
          No workspaces yet. A workspace stores the ladders, columns, panes, sizes, groupings, the radar’s coins and the
          separate windows under a name.
        </p>
      )}
      <ul aria-label="Workspaces" className="flex flex-col">
        {list.map((kept) => (
          <Row key={kept.name} kept={kept} now={now} onEnter={() => enter(kept)} />
        ))}
      </ul>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (given === '' || isTooLong(given)) return;
          saveAs({ ...now, name: given });
          setName('');
        }}
      >
        <TextField label="Save this page as" value={name} onChange={setName} />
        <Button look="primary" submit disabled={given === '' || isTooLong(given)}>
          Save
        </Button>
      </form>
      {isTooLong(given) && <TooLong />}
      <p className="text-12 text-dim">The starred one opens with Book. All of them are in the settings file.</p>
    </div>
  );
}

interface RowProps {
  readonly kept: Workspace;
  readonly now: PageState;
  readonly onEnter: () => void;
}

function Row({ kept, now, onEnter }: RowProps) {
  const { name } = kept;
  const windows = kept.windows.length;
  const start = useWorkspaces((state) => state.start);
  const startWith = useWorkspaces((state) => state.startWith);
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  /** The control that has the focus is replaced, and with another name the row. */
  const turn = (next: boolean) => {
    const list = row.current?.parentElement;
    const at = [...(list?.children ?? [])].findIndex((item) => item === row.current);
    flushSync(() => setRenaming(next));
    list?.children[at]?.querySelector<HTMLElement>(next ? 'input' : '[data-rename]')?.focus();
  };
  const isStart = start === name;
  const isNow = isWorkspace(kept, now);
  if (renaming)
    return (
      <li ref={row}>
        <Rename name={name} onDone={() => turn(false)} />
      </li>
    );
  return (
    <li ref={row} className="flex items-center justify-between gap-1">
      <span className="mr-auto flex min-w-0 *:shrink">
        <Button aria-pressed={isNow} title={name} onClick={onEnter}>
          <span className="truncate">{name}</span>
          <span className="shrink-0 text-12 text-dim">
            {kept.coin}
            {windows > 0 && ` + ${counted(windows, 'window')}`}
          </span>
          {windows > 0 && <PriceTag credits={windows * BOOK_CREDITS} short />}
        </Button>
      </span>
      <IconButton
        icon={Star}
        name={isStart ? `Do not open ${name} with Book` : `Open ${name} with Book`}
        aria-pressed={isStart}
        onClick={() => startWith(isStart ? null : name)}
      />
      <IconButton
        icon={Save}
        name={`Save this page as ${name}`}
        disabled={isNow}
        onClick={() => saveAs({ ...now, name })}
      />
      <IconButton icon={Pencil} name={`Rename ${name}`} data-rename onClick={() => turn(true)} />
      <IconButton icon={Trash2} name={`Delete ${name}`} onClick={({ currentTarget }) => remove(kept, currentTarget)} />
    </li>
  );
}

function saveAs(next: Workspace): void {
  const { list, save } = useWorkspaces.getState();
  const before = list.find(({ name }) => name === next.name);
  const windows = next.windows.slice(0, WORKSPACE_WINDOWS_MAX);
  save({ ...next, windows });
  const left = next.windows.length - windows.length;
  const without = left === 0 ? '' : `, without ${counted(left, 'window')}: at most ${WORKSPACE_WINDOWS_MAX} are kept`;
  toast(
    `Workspace “${next.name}” ${before ? 'replaced' : 'saved'}${without}`,
    before && { text: 'Undo', run: () => save(before) },
  );
}

/** The pressed button goes with its row: the focus stays in the menu. */
function remove(kept: Workspace, button: HTMLElement): void {
  const { name } = kept;
  passFocus(button);
  const { list, start, remove: take } = useWorkspaces.getState();
  const at = list.indexOf(kept);
  take(name);
  const undo = () => {
    const { list: others, start: since, replace } = useWorkspaces.getState();
    if (others.some((other) => other.name === name)) {
      toast(`Not restored: another workspace is called “${name}” now.`);
      return;
    }
    replace({ list: others.toSpliced(at, 0, kept), start: since ?? (start === name ? name : null) });
  };
  toast(`Workspace “${name}” deleted`, { text: 'Undo', run: undo });
}

function Rename({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const list = useWorkspaces((state) => state.list);
  const rename = useWorkspaces((state) => state.rename);
  const [next, setNext] = useState(name);
  const given = next.trim();
  const isTaken = given !== name && list.some((other) => other.name === given);
  return (
    <>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (given === '' || isTaken || isTooLong(given)) return;
          if (given !== name) rename(name, given);
          onDone();
        }}
      >
        <TextField label={`New name of ${name}`} value={next} onChange={setNext} />
        <IconButton icon={Check} name="Keep the name" submit disabled={given === '' || isTaken || isTooLong(given)} />
      </form>
      {isTooLong(given) && <TooLong />}
      {isTaken && <p className="text-12 text-stale">Another workspace has this name.</p>}
    </>
  );
}

const isTooLong = (name: string) => name.length > WORKSPACE_NAME_MAX;

function TooLong() {
  return <p className="text-12 text-stale">A name has at most {WORKSPACE_NAME_MAX} characters.</p>;
}
