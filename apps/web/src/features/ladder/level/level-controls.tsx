import type { DecimalString } from '@l4desk/protocol';
import { FilterX, Users } from 'lucide-react';
import { memo } from 'react';
import type { Listed } from '../../../book-worker/panes/level.ts';
import { useActions } from '../../../hooks/actions.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted } from '../../../ui/format.ts';
import { Select } from '../../../ui/select.tsx';
import { orNothing, readAmount, useTyped } from '../../../ui/text-field.tsx';
import { type LadderChoices, ladderSearch } from '../search.ts';

const TIFS = [
  { value: '', text: 'every tif' },
  { value: 'Alo', text: 'Alo' },
  { value: 'Gtc', text: 'Gtc' },
  { value: 'Ioc', text: 'Ioc' },
  { value: 'none', text: 'no tif' },
] as const;

const WHOLE_QUEUE = { group: undefined, owner: undefined, tif: undefined, min: undefined, sort: undefined } as const;

const FIELD =
  'h-(--control) min-w-0 rounded-4 border border-edge bg-surface-0 px-2 text-12 text-text placeholder:text-dim aria-invalid:border-stale';

/** Controls how the level's orders are listed: grouping and filters. */
export const LevelControls = memo(function LevelControls({ listed }: { readonly listed: Listed | null | undefined }) {
  const { choices, change } = usePageSearch(ladderSearch);
  const { group, owner, tif, min, sort } = choices;
  useLevelActions(change);
  const isChosen = [group, owner, tif, min, sort].some((choice) => choice !== undefined);
  return (
    <fieldset
      aria-label="Which orders, and in which order"
      data-part="level-controls"
      className="flex min-w-0 shrink-0 items-center gap-x-1 overflow-hidden max-sm:flex-wrap border-b border-line py-0.5 pr-1 pl-1.5 text-12 whitespace-nowrap"
    >
      <Button
        icon={Users}
        aria-pressed={group === 'owner'}
        title="Stand the orders below their owners; a press on an owner lists his orders"
        onClick={() => change({ group: group === 'owner' ? undefined : 'owner', sort: undefined })}
      >
        <span className="max-sm:sr-only">By owner</span>
      </Button>
      <Select
        name="Time in force"
        caption=""
        value={TIFS.find(({ value }) => value === tif)?.value ?? ''}
        options={TIFS}
        onChange={(next) => change({ tif: next === '' ? undefined : next })}
      />
      <LeastSize value={min ?? ''} onChange={(next) => change({ min: next })} />
      <OwnerText value={owner ?? ''} onChange={(next) => change({ owner: next === '' ? undefined : next })} />
      {isChosen && (
        <IconButton icon={FilterX} name="Show the whole queue in its order" onClick={() => change(WHOLE_QUEUE)} />
      )}
      <output aria-live="off" data-part="listed" className="num ml-auto pr-1 text-dim max-sm:ml-1">
        {listed !== null && listed !== undefined && (
          <>
            {counted(listed.orders, 'order')} · {counted(listed.wallets, 'wallet')}
          </>
        )}
      </output>
    </fieldset>
  );
});

interface FieldProps<Value> {
  readonly value: string;
  readonly onChange: (value: Value) => void;
}

const readSize = orNothing(readAmount);

/** Text that is not a size stays in the field and filters nothing. */
function LeastSize({ value, onChange }: FieldProps<DecimalString | undefined>) {
  const { draft, isWell, change } = useTyped({
    value,
    read: readSize,
    onChange: (next) => onChange(next ?? undefined),
  });
  return (
    <label className="flex items-center gap-1 text-dim">
      <span title="Only orders of this size and larger ones">≥</span>
      <input
        inputMode="decimal"
        aria-label="Least size"
        autoComplete="off"
        placeholder="size"
        value={draft}
        aria-invalid={!isWell}
        onChange={({ target }) => change(target.value)}
        className={`num w-16 text-right ${FIELD}`}
      />
    </label>
  );
}

function OwnerText({ value, onChange }: FieldProps<string>) {
  return (
    <input
      type="search"
      aria-label="Owner: a part of the address or label"
      placeholder="owner"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={`private w-24 ${FIELD}`}
    />
  );
}

/** The same choices as actions, while the level is open. */
function useLevelActions(change: (next: LadderChoices) => void): void {
  useActions('Level', [
    { id: 'level owner', label: 'Level: orders by owner', run: () => change({ group: 'owner', sort: undefined }) },
    { id: 'level size', label: 'Level: largest orders first', run: () => change({ group: undefined, sort: '-sz' }) },
    { id: 'level age', label: 'Level: oldest orders first', run: () => change({ group: undefined, sort: '-age' }) },
    { id: 'level queue', label: 'Level: the whole queue in its order', run: () => change(WHOLE_QUEUE) },
  ]);
}
