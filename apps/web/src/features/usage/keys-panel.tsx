import { count, type ExportColumn, text } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { type ShortColumn, ShortTable } from '../../ui/short-table.tsx';
import { shareText } from './share.ts';
import type { UsageFacts } from './usage-facts.ts';

type KeyUse = UsageFacts['by_api_key'][number];

const EXPORT: readonly ExportColumn<KeyUse>[] = [
  { name: 'apikey', value: ({ apikey }) => text(apikey) },
  { name: 'credits', value: ({ credits }) => count(credits) },
];

/** Which key spent how much of the window's credits. */
export function KeysPanel({ facts: { aggregate, by_api_key: keys, period } }: { readonly facts: UsageFacts }) {
  const total = aggregate.credits_consumed;
  const named = keys.reduce((sum, { credits }) => sum + credits, 0);
  const columns: ShortColumn<KeyUse>[] = [
    { title: 'Key', cell: ({ apikey }) => <span className="num text-12">{apikey}</span>, total: 'All keys' },
    { title: 'Credits', align: 'end', cell: ({ credits }) => wholeText(credits), total: wholeText(named) },
    {
      title: 'Share',
      align: 'end',
      cell: ({ credits }) => shareText(credits, total) ?? '–',
      total: shareText(named, total) ?? '–',
    },
    {
      title: '',
      cell: ({ credits }) => (
        <span className="block h-2 w-24 max-sm:w-10" aria-hidden>
          <span className="block h-full bg-accent" style={{ width: total === 0 ? 0 : `${(credits / total) * 100}%` }} />
        </span>
      ),
    },
  ];
  return (
    <Panel
      title="Keys"
      controls={
        keys.length > 0 && (
          <ExportMenu
            name={['usage-keys', period.from, period.to]}
            says={`${counted(keys.length, 'key')}, as the service abbreviates them.`}
            columns={EXPORT}
            rows={() => keys}
          />
        )
      }
    >
      {keys.length === 0 ? (
        <p className="text-dim">No key used a credit in this window.</p>
      ) : (
        <ShortTable name="Credits by key" columns={columns} rows={keys} keyOf={({ apikey }) => apikey} />
      )}
      {named !== total && (
        <p className="text-stale">
          {wholeText(Math.abs(total - named))} credits {named < total ? 'are of no key named here' : 'are named twice'}:
          keys and total disagree.
        </p>
      )}
      <p className="text-12 text-dim">
        Of the whole window, revoked keys too. Labels: <code className="num">npm run -s l4desk -- keys list</code>
      </p>
    </Panel>
  );
}
