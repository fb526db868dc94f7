import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Ellipsis, Pause, Play } from 'lucide-react';
import { memo } from 'react';
import type { TimeData } from '../../../book-worker/panes/past.ts';
import { useBook, usePane } from '../../../book-worker/use-book.ts';
import { useWithKey } from '../../../hooks/actions.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Digits } from '../../../ui/digits.tsx';
import { clockText, counted, secondsText, wholeText, zoneText } from '../../../ui/format.ts';
import { passesFocus } from '../../../ui/pass-focus.ts';
import { Popover } from '../../../ui/popover.tsx';
import { RecordingsMenu } from '../recordings/recordings-menu.tsx';
import type { RecordingActions } from '../recordings/use-recordings.ts';
import { Scrubber } from './scrubber.tsx';
import type { TimeTravel } from './use-time-travel.ts';

const BARS = { bars: 160 };

export function TimeStrip({ travel, recordings }: ChoicesProps) {
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  const zone = usePreferences((state) => state.timeZone);
  const { frozen } = travel;
  const shown = useBook((book) => book.shown);
  const response = usePane('time', BARS);
  return (
    <div
      className="flex min-w-0 grow items-center gap-x-2"
      data-part="time"
      data-height={shown?.height}
      data-frozen={frozen ?? false}
    >
      <Transport travel={travel} />
      <span className="num shrink-0 whitespace-nowrap max-sm:hidden" data-field="time">
        {shown && `${clockText(shown.blockTime, zone)} ${zoneText(zone, shown.blockTime)}`}
      </span>
      {response?.first !== undefined && frozen !== undefined ? (
        <div ref={passesFocus} className="contents">
          <Scrubber response={response} isRecorded={isRecorded} />
        </div>
      ) : (
        <span className="grow text-dim">The last minutes will be kept here.</span>
      )}
      {response !== undefined && <Kept response={response} isRecorded={isRecorded} />}
      <Choices travel={travel} recordings={recordings} />
    </div>
  );
}

/** Buttons to step, play and hold. It does not render again as the kept time grows. */
const Transport = memo(function Transport({ travel }: TravelProps) {
  const { frozen, isPlaying, onPlay, onHold } = travel;
  const withKey = useWithKey();
  return (
    <span className="flex shrink-0 items-center">
      <span className="flex max-sm:hidden">
        <Step by={-10} travel={travel} />
      </span>
      <Step by={-1} travel={travel} />
      {frozen === true ? (
        <IconButton
          icon={isPlaying ? Pause : Play}
          name={withKey(isPlaying ? 'Stop playing' : 'Play from here', 'play')}
          data-on={isPlaying || undefined}
          onClick={onPlay}
        />
      ) : (
        <IconButton icon={Pause} name={withKey('Hold this block', 'pause')} onClick={onHold} />
      )}
      <Step by={1} travel={travel} />
      <span className="flex max-sm:hidden">
        <Step by={10} travel={travel} />
      </span>
    </span>
  );
});

interface TravelProps {
  readonly travel: TimeTravel;
}

/** The buttons by how many blocks they step: icon, name and action. */
const STEPS = {
  '-10': [ChevronsLeft, 'Ten blocks back', 'ten back'],
  '-1': [ChevronLeft, 'A block back', 'step back'],
  '1': [ChevronRight, 'A block forward', 'step forward'],
  '10': [ChevronsRight, 'Ten blocks forward', 'ten forward'],
} as const;

function Step({ by, travel: { frozen, onStep } }: TravelProps & { readonly by: -10 | -1 | 1 | 10 }) {
  const withKey = useWithKey();
  const [icon, name, action] = STEPS[by];
  const press =
    by < 0 ? { disabled: frozen === undefined, onClick: () => onStep(by) } : whileHeld(frozen, () => onStep(by));
  return <IconButton icon={icon} name={withKey(name, action)} {...press} />;
}

/** For a button that leads forward or back to live. Not `disabled` while the book is live: pressed, it would lose the focus. */
function whileHeld(frozen: boolean | undefined, run: () => void) {
  const isHeld = frozen === true;
  return { 'aria-disabled': !isHeld, onClick: () => isHeld && run() };
}

interface ChoicesProps extends TravelProps {
  readonly recordings: RecordingActions;
}

const Choices = memo(function Choices({ travel, recordings }: ChoicesProps) {
  const { frozen, onLive } = travel;
  const withKey = useWithKey();
  return (
    <>
      <RecordingsMenu actions={recordings} />
      <span className="shrink-0 max-md:hidden">
        <Compare travel={travel} />
      </span>
      <MoreMenu travel={travel} />
      <Button
        look={frozen === true ? 'primary' : 'quiet'}
        title={withKey('Return to live', 'live')}
        {...whileHeld(frozen, onLive)}
      >
        Live
      </Button>
    </>
  );
});

function Compare({ travel: { frozen, since, onCompare } }: TravelProps) {
  return (
    <Button
      aria-pressed={since !== undefined}
      disabled={frozen === undefined}
      title={
        since === undefined
          ? 'Compare this block with those shown from now on: step, play, or return to live'
          : `Comparing with block ${wholeText(since)}. Press to stop`
      }
      onClick={onCompare}
    >
      Compare
    </Button>
  );
}

function MoreMenu({ travel }: TravelProps) {
  return (
    <span className="shrink-0 md:hidden">
      <Popover name="More steps" align="end" trigger={<IconButton icon={Ellipsis} name="More steps" />}>
        <div className="flex items-center">
          <Step by={-10} travel={travel} />
          <Step by={10} travel={travel} />
          <Compare travel={travel} />
        </div>
      </Popover>
    </span>
  );
}

/** How much is kept; the limits are in the hint. */
function Kept({ response, isRecorded }: { readonly response: TimeData; readonly isRecorded: boolean }) {
  const { first, last, blocks, changes, blocksMax, changesMax, gaps } = response;
  const memory = `${counted(blocks, 'block')} and ${counted(changes, 'change')}`;
  const title = isRecorded
    ? `${memory} of the recording are in memory; the rest is read as you travel`
    : `${memory} kept; at most ${wholeText(blocksMax)} and ${wholeText(changesMax)}, the oldest go first`;
  if (first === undefined || last === undefined) return null;
  return (
    <span className="num shrink-0 whitespace-nowrap text-dim max-lg:hidden" data-field="kept" title={title}>
      {isRecorded ? 'recorded' : 'kept'} <Digits room={4}>{secondsText(last.time - first.time)}</Digits>
      {gaps.length > 0 && <span className="text-stale"> · {counted(gaps.length, 'gap')}</span>}
    </span>
  );
}
