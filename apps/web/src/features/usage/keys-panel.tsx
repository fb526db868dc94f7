import type { ShownCredential } from '@l4desk/protocol';
import { useKeyLabels } from '../../state/key-labels.ts';
import { count, text } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { creditColumns } from './credit-columns.tsx';
import { KeyLabel } from './key-label.tsx';
import { type UsageFacts } from './usage-facts.ts';

type KeyUse = UsageFacts['by_api_key'][number];

const keyOf = ({ apikey }: KeyUse) => apikey;

interface KeysPanelProps {
  readonly facts: UsageFacts;
  /** The account's API keys with their labels in the service. */
  readonly keys: readonly ShownCredential[];
  /** The key that the session was signed in with. */
  readonly ownKey: string | undefined;
}

/** How many of the window's credits each key spent. */
export function KeysPanel({ facts: { aggregate, by_api_key: uses, period }, keys, ownKey }: KeysPanelProps) {
  const own = useKeyLabels((state) => state.labels);
  const labelOf = (shown: string) => own[shown] ?? (keys.find((key) => key.shown === shown)?.label || undefined);
  const total = aggregate.credits_consumed;
  const named = uses.reduce((sum, { credits }) => sum + credits, 0);
  return (
    <Panel
      title="Keys"
      controls={
        uses.length > 0 && (
          <ExportMenu
            name={['usage-keys', period.from, period.to]}
            says={`${counted(uses.length, 'key')}, as abbreviated by the service.`}
            columns={[
              { name: 'apikey', value: ({ apikey }) => text(apikey) },
              { name: 'label', value: ({ apikey }) => text(labelOf(apikey)) },
              { name: 'credits', value: ({ credits }) => count(credits) },
            ]}
            rows={() => uses}
          />
        )
      }
    >
      {uses.length === 0 ? (
        <p className="text-dim">No key used credits in this window.</p>
      ) : (
        <DataTable
          name="Credits by key"
          isShort
          columns={columnsOf({ uses, total, ownKey, labelOf })}
          rows={uses}
          keyOf={keyOf}
        />
      )}
      {named !== total && (
        <p className="text-stale">
          {wholeText(Math.abs(total - named))} credits{' '}
          {named < total ? 'belong to keys not listed here' : 'are counted twice'}: the sum of keys differs from the
          total.
        </p>
      )}
      <p className="text-12 text-dim">
        Covers the whole window, including revoked keys. Labels come from the service; those you add here stay in this
        browser.
      </p>
    </Panel>
  );
}

interface ColumnsProps extends Pick<KeysPanelProps, 'ownKey'> {
  readonly uses: readonly KeyUse[];
  readonly total: number;
  readonly labelOf: (shown: string) => string | undefined;
}

function columnsOf({ uses, total, ownKey, labelOf }: ColumnsProps): readonly TableColumn<KeyUse>[] {
  return [
    { id: 'key', title: 'Key', cell: ({ apikey }) => <span className="num text-12">{apikey}</span>, total: 'All keys' },
    {
      id: 'label',
      title: 'Label',
      cell: ({ apikey }) => <KeyLabel shown={apikey} label={labelOf(apikey)} isHere={apikey === ownKey} />,
    },
    ...creditColumns(uses, total),
  ];
}
