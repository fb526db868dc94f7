import { useQuery } from '@tanstack/react-query';
import { FileClock } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { counted } from '../../../ui/format.ts';
import { Popover, PopoverClose } from '../../../ui/popover.tsx';
import { useTime } from '../../../ui/use-time.ts';
import { type RecordingActions, recordingsQuery } from './use-recordings.ts';

const MEGABYTE = 1_000_000;

/** How many of the service's recordings are listed; older ones are downloaded from it. */
const ROWS_MAX = 50;

export function RecordingsMenu({ actions }: { readonly actions: RecordingActions }) {
  return (
    <Popover
      name="Recordings"
      align="end"
      trigger={
        <Button icon={FileClock} title="Save the kept minutes, or open a recording" aria-label="Recordings">
          <span className="max-xl:sr-only">Recordings</span>
        </Button>
      }
    >
      <div className="flex w-120 max-w-full flex-col gap-2">
        {/* The menu opens upward: what is above the buttons can grow without moving them. */}
        <ServiceList onOpen={actions.onService} />
        <PopoverClose asChild>
          <Button look="plain" onClick={actions.onSave}>
            Save the kept minutes (.l4rec)
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button look="plain" onClick={actions.onPick}>
            Open a file … or drop one on the page
          </Button>
        </PopoverClose>
      </div>
    </Popover>
  );
}

function ServiceList({ onOpen }: { readonly onOpen: RecordingActions['onService'] }) {
  const { data, isError } = useQuery(recordingsQuery);
  const { second } = useTime();
  if (data === undefined)
    return <p className="text-dim">{isError ? 'The service does not list its recordings now.' : 'Looking …'}</p>;
  const { recordings } = data;
  if (recordings.length === 0)
    return (
      <p className="text-dim">
        The service has recorded nothing. <code>RECORD_COINS</code> makes it record coins while it runs.
      </p>
    );
  return (
    <section aria-label="Recordings of the service" className="flex flex-col">
      <h3 className="text-dim">Recorded by the service</h3>
      <ul className="max-h-64 overflow-y-auto">
        {recordings.slice(0, ROWS_MAX).map(({ name, coin, createdAt, bytes, gaps, state }) => (
          <li key={name}>
            <PopoverClose asChild>
              <button
                type="button"
                title={name}
                onClick={() => onOpen({ name, state })}
                className="flex h-(--control) w-full items-center gap-2 rounded-4 px-1 text-left hover:bg-surface-2"
              >
                <span className="font-semibold text-strong">{coin}</span>
                <span className="num shrink-0 whitespace-nowrap">{second(createdAt)}</span>
                <span className="num ml-auto min-w-0 truncate text-dim">
                  {gaps > 0 && <span className="text-stale">{counted(gaps, 'gap')} · </span>}
                  {state === 'writing' && 'recording · '}
                  {(bytes / MEGABYTE).toFixed(1)} MB
                </span>
              </button>
            </PopoverClose>
          </li>
        ))}
      </ul>
    </section>
  );
}
