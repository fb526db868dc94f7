import type { SessionUsage, ShownCredential } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { usageByKindQuery } from '../../api/usage.ts';
import { useKeyLabels } from '../../state/key-labels.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { Button } from '../../ui/button.tsx';
import type { ExportColumn } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import { Panel } from '../../ui/panel.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Select } from '../../ui/select.tsx';
import { sharesText, shareText } from '../../ui/share-text.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { TextField } from '../../ui/text-field.tsx';
import { usageSearch } from './search.ts';
import type { UsageFacts } from './usage-plot.ts';

interface UsesPanelProps<Use> {
  readonly title: 'Keys' | 'Kinds';
  readonly period: UsageFacts['period'];
  readonly uses: readonly Use[];
  readonly total: number;
  readonly keyOf: (use: Use) => string;
  readonly columns: readonly TableColumn<Use>[];
  readonly exported: readonly ExportColumn<Use>[];
  readonly exportDescription: string;
  /** What the export is of, in the name of its file. */
  readonly exportOf?: readonly string[];
  readonly none: ReactNode;
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}

/** The credits of the window by something, with shares that add up. */
function UsesPanel<Use extends { readonly credits: number }>(props: UsesPanelProps<Use>) {
  const { title, period, uses, total, keyOf, columns, exported, exportDescription, none, controls, children } = props;
  return (
    <Panel
      title={title}
      controls={
        <span className="flex flex-wrap items-center justify-end gap-2">
          {controls}
          {uses.length > 0 && (
            <ExportMenu
              name={[`usage-${title.toLowerCase()}`, ...(props.exportOf ?? []), period.from, period.to]}
              description={exportDescription}
              columns={[...exported, { name: 'credits', value: (use) => use.credits }]}
              rows={() => uses}
            />
          )}
        </span>
      }
    >
      {uses.length === 0 ? (
        none
      ) : (
        <DataTable
          name={`Credits by ${title === 'Keys' ? 'key' : 'kind'}`}
          isShort
          columns={[...columns, ...creditColumns(uses, total)]}
          rows={uses}
          keyOf={keyOf}
        />
      )}
      {children}
    </Panel>
  );
}

function creditColumns<Use extends { readonly credits: number }>(
  uses: readonly Use[],
  total: number,
): readonly TableColumn<Use>[] {
  const credits = uses.map((use) => use.credits);
  const texts = sharesText(credits, total);
  const sum = credits.reduce((all, one) => all + one, 0);
  return [
    { id: 'credits', title: 'Credits', align: 'end', text: (use) => wholeText(use.credits), total: wholeText(sum) },
    {
      id: 'share',
      title: 'Share',
      align: 'end',
      cell: (use) => (
        <span className="inline-flex items-center gap-2">
          <span className="h-2 w-12 bg-surface-2 max-sm:hidden" aria-hidden>
            <span
              className="block h-full bg-accent"
              style={{ width: `${(use.credits / Math.max(1, total)) * 100}%` }}
            />
          </span>
          <span className="w-15 text-right whitespace-nowrap">{texts[uses.indexOf(use)] ?? '–'}</span>
        </span>
      ),
      total: shareText(sum, total) ?? '–',
    },
  ];
}

interface KeysPanelProps {
  readonly facts: UsageFacts;
  /** The account's API keys with their labels in the service. */
  readonly keys: readonly ShownCredential[];
  /** The key that the session was signed in with. */
  readonly ownKey: string | undefined;
}

/** The label given here, or else the one that the service has. */
function useLabelOf(keys: readonly ShownCredential[]) {
  const own = useKeyLabels((state) => state.labels);
  return (shown: string) => own[shown] ?? (keys.find((key) => key.shown === shown)?.label || undefined);
}

/** How many of the window's credits each key spent. */
export function KeysPanel({ facts: { aggregate, by_api_key: uses, period }, keys, ownKey }: KeysPanelProps) {
  const labelOf = useLabelOf(keys);
  const total = aggregate.credits_consumed;
  const named = uses.reduce((sum, { credits }) => sum + credits, 0);
  return (
    <UsesPanel
      title="Keys"
      {...{ period, uses, total }}
      keyOf={({ apikey }) => apikey}
      columns={keyColumns(labelOf, ownKey)}
      exported={[
        { name: 'apikey', text: ({ apikey }) => apikey },
        { name: 'label', text: ({ apikey }) => labelOf(apikey) },
      ]}
      exportDescription={`${counted(uses.length, 'key')}, as abbreviated by the service.`}
      none={<p className="text-dim">No key used credits in this window.</p>}
    >
      {named !== total && (
        <p className="text-stale">
          {wholeText(Math.abs(total - named))} credits{' '}
          {named < total ? 'belong to keys not listed here' : 'are counted twice'}: the sum of keys differs from the
          total.
        </p>
      )}
      <p className="text-12 text-dim">
        Covers the whole window, including revoked keys. Labels come from the service; those you add here are kept with
        your account.
      </p>
    </UsesPanel>
  );
}

function keyColumns(
  labelOf: (shown: string) => string | undefined,
  ownKey: string | undefined,
): readonly TableColumn<UsageFacts['by_api_key'][number]>[] {
  return [
    { id: 'key', title: 'Key', cell: ({ apikey }) => <span className="num text-12">{apikey}</span>, total: 'All keys' },
    {
      id: 'label',
      title: 'Label',
      grow: true,
      cell: ({ apikey }) => <KeyLabel shown={apikey} label={labelOf(apikey)} isHere={apikey === ownKey} />,
    },
  ];
}

interface KeyLabelProps {
  readonly shown: string;
  readonly label: string | undefined;
  /** Whether this session was signed in with the key. */
  readonly isHere: boolean;
}

/** The label of a key, with a control to change it. */
function KeyLabel({ shown, label, isHere }: KeyLabelProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      name={`Label of ${shown}`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          title={label}
          aria-label={label === undefined ? `Label ${shown}` : `${label}: change the label of ${shown}`}
          className={`-ml-1 h-6 min-w-6 max-w-full truncate rounded-4 px-1 align-bottom underline decoration-edge underline-offset-2 hover:text-strong aria-expanded:bg-surface-2 ${label === undefined ? 'text-dim' : ''}`}
        >
          {label ?? 'add label'}
          {isHere && <span className="text-12 text-dim"> · this session</span>}
        </button>
      }
    >
      <KeyLabelForm shown={shown} label={label ?? ''} onDone={() => setOpen(false)} />
    </Popover>
  );
}

interface KeyLabelFormProps {
  readonly shown: string;
  readonly label: string;
  readonly onDone: () => void;
}

function KeyLabelForm({ shown, label, onDone }: KeyLabelFormProps) {
  const setLabel = useKeyLabels((state) => state.setLabel);
  const [typed, setTyped] = useState(label);
  return (
    <form
      className="flex w-64 max-w-full flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setLabel(shown, typed);
        onDone();
      }}
    >
      <TextField label={`Label of ${shown}`} value={typed} onChange={setTyped} />
      <p className="text-dim">Kept on the account, for all its browsers. Leave empty to remove it.</p>
      <Button look="primary" submit>
        Save
      </Button>
    </form>
  );
}

type KindUse = Pick<SessionUsage['by_kind'][number], 'kind' | 'credits'>;

const KIND: TableColumn<KindUse> = {
  id: 'kind',
  title: 'Kind',
  grow: true,
  cell: ({ kind }) => (
    <span className="num text-12">
      {kind}
      {kind === 'simulated' && <span className="font-sans text-dim"> · sample data</span>}
    </span>
  ),
  total: 'All kinds',
};

/** The credits of each kind, highest first: of one key, or of all. */
export function kindUses(byKind: SessionUsage['by_kind'], key: string | undefined): readonly KindUse[] {
  const ofKey = byKind.filter(({ apikey }) => key === undefined || apikey === key);
  return [...groupBy(ofKey, ({ kind }) => kind)]
    .map(([kind, uses]) => ({ kind, credits: uses.reduce((sum, { credits }) => sum + credits, 0) }))
    .sort((a, b) => b.credits - a.credits);
}

/** What the credits were spent on: by one page or bot, told apart by its key, or by all. */
export function KindsPanel({ facts: { by_api_key, period }, keys }: Pick<KeysPanelProps, 'facts' | 'keys'>) {
  const { choices, change } = usePageSearch(usageSearch);
  const labelOf = useLabelOf(keys);
  const { data, error } = useQuery(usageByKindQuery(period));
  const { key } = choices;
  const uses = kindUses(data?.by_kind ?? [], key);
  const shown = new Set([...by_api_key.map(({ apikey }) => apikey), ...(key === undefined ? [] : [key])]);
  return (
    <UsesPanel
      title="Kinds"
      {...{ period, uses }}
      total={uses.reduce((sum, { credits }) => sum + credits, 0)}
      keyOf={({ kind }) => kind}
      columns={[KIND]}
      exported={[{ name: 'kind', text: ({ kind }) => kind }]}
      exportDescription={`${counted(uses.length, 'kind')} of use${key === undefined ? '' : ` of the key ${key}`}.`}
      exportOf={key === undefined ? [] : [key]}
      controls={
        <Select
          name="Key whose kinds are shown"
          caption="of"
          value={key ?? ''}
          options={[
            { value: '', text: 'all keys' },
            ...[...shown].map((apikey) => ({ value: apikey, text: labelOf(apikey) ?? apikey })),
          ]}
          onChange={(next) => change({ key: next || undefined })}
        />
      }
      none={
        error === null && (
          <p className="text-dim">
            {data === undefined
              ? 'Loading…'
              : `No credits used in this window${key === undefined ? '' : ' with this key'}.`}
          </p>
        )
      }
    >
      {error !== null && <p className="text-stale">Credits by kind failed to load: {error.message}.</p>}
      <p className="text-12 text-dim">
        l4BookUpdates are minutes of followed books, everything else is calls. Pages and bots are told apart by their
        keys: give each its own, and choose it here.
      </p>
    </UsesPanel>
  );
}
