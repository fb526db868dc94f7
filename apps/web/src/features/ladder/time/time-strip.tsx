import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Pause, Play, Repeat } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { useLive, useLiveValue } from '../../../book-worker/live-context.tsx';
import type { TimeResponse } from '../../../book-worker/panes/past.ts';
import { usePanes } from '../../../book-worker/use-panes.ts';
import { useSlowPane } from '../../../book-worker/use-slow-pane.ts';
import { type Shortcut, useShortcuts } from '../../../hooks/shortcuts.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { clockText, counted, secondsText, wholeText, zoneText } from '../../../ui/format.ts';
import { PaneText, SteadyText, usePaneAttributes, usePointedTitle } from '../live-text.tsx';
import { RecordingsMenu } from '../recordings/recordings-menu.tsx';
import type { RecordingActions } from '../recordings/use-recordings.ts';
import { ladderSearch } from '../search.ts';
import { Scrubber } from './scrubber.tsx';
import { usePlayer } from './use-player.ts';

const BARS = 160;

/** The kept minutes: the position of the shown book in them, and the controls for travelling and going back to live. */
export function TimeStrip({ recordings }: { readonly recordings: RecordingActions }) {
  const isRecorded = useLiveValue((status) => status?.recorded !== undefined);
  const { choices } = usePageSearch(ladderSearch);
  const zone = usePreferences((state) => state.timeZone);
  const frozen = usePanes((frame) => frame.frozen);
  const strip = useRef<HTMLDivElement>(null);
  usePaneAttributes(strip, ({ height }) => ({ 'data-height': height }));
  const { a, b, loop } = choices;
  const ask = useMemo(() => ({ bars: BARS, heights: [a, b].filter((mark) => mark !== undefined) }), [a, b]);
  const response = useSlowPane('time', ask)?.time;
  const names = [...(a === undefined ? [] : ['A']), ...(b === undefined ? [] : ['B'])];
  const marks = (response?.marked ?? []).map(({ time }, index) => ({ name: names[index] ?? '', time }));
  return (
    <div ref={strip} className="flex min-w-0 grow items-center gap-x-2" data-part="time" data-frozen={frozen ?? false}>
      <Transport
        frozen={frozen}
        hasKept={response?.first !== undefined}
        a={a}
        b={b}
        isLooping={loop === '1'}
        end={isRecorded ? response?.last?.height : undefined}
      />
      {response?.first !== undefined && frozen !== undefined ? (
        <Scrubber response={response} marks={marks} isRecorded={isRecorded} />
      ) : (
        <span className="grow text-dim">The last minutes will be kept here.</span>
      )}
      <span className="num shrink-0 whitespace-nowrap max-sm:hidden" data-field="time">
        <PaneText read={({ blockTime }) => `${clockText(blockTime, zone)} ${zoneText(zone, blockTime)}`} />
      </span>
      {response !== undefined && <Kept response={response} isRecorded={isRecorded} />}
      <Choices
        recordings={recordings}
        frozen={frozen}
        hasMarks={marks.length > 0}
        a={a}
        b={b}
        isLooping={loop === '1'}
      />
    </div>
  );
}

interface MarkedProps {
  /** Whether the shown book is held; undefined before there is one. */
  readonly frozen: boolean | undefined;
  /** The marked blocks. */
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly isLooping: boolean;
}

/** The loop between the marked blocks; undefined unless A is before B. */
function between(a: number | undefined, b: number | undefined) {
  return a !== undefined && b !== undefined && a < b ? { from: a, to: b } : undefined;
}

interface TransportProps extends MarkedProps {
  readonly hasKept: boolean;
  /** The last block of a recording. */
  readonly end: number | undefined;
}

/** Buttons to step, play and hold. It does not render again as the kept time grows. */
const Transport = memo(function Transport({ frozen, hasKept, a, b, isLooping, end }: TransportProps) {
  const live = useLive();
  const { isPlaying, onPlay } = usePlayer(isLooping ? between(a, b) : undefined, end);
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const step = (blocks: number) => () => live.travel({ kind: 'step', blocks });
    return [
      { key: ',', text: 'A block back', run: step(-1) },
      { key: '.', text: 'A block forward', run: step(1) },
      { key: '<', text: 'Ten blocks back', run: step(-10) },
      { key: '>', text: 'Ten blocks forward', run: step(10) },
      { key: 'k', text: 'Play or pause the kept blocks', run: () => onPlay(!isPlaying) },
      { key: 'l', text: 'Return to live', run: () => live.pause(false) },
    ];
  }, [live, isPlaying, onPlay]);
  useShortcuts('Time', shortcuts);
  return (
    <span className="flex shrink-0 items-center">
      <span className="flex max-sm:hidden">
        <IconButton
          icon={ChevronsLeft}
          name="Ten blocks back (<)"
          disabled={!hasKept}
          onClick={() => live.travel({ kind: 'step', blocks: -10 })}
        />
      </span>
      <IconButton
        icon={ChevronLeft}
        name="A block back (,)"
        disabled={!hasKept}
        onClick={() => live.travel({ kind: 'step', blocks: -1 })}
      />
      {frozen === true ? (
        <IconButton
          icon={isPlaying ? Pause : Play}
          name={isPlaying ? 'Stop playing (K)' : 'Play from here (K)'}
          aria-pressed={isPlaying}
          onClick={() => onPlay(!isPlaying)}
        />
      ) : (
        <IconButton icon={Pause} name="Hold this block (P)" onClick={() => live.pause(true)} />
      )}
      <IconButton
        icon={ChevronRight}
        name="A block forward (.)"
        disabled={frozen !== true}
        onClick={() => live.travel({ kind: 'step', blocks: 1 })}
      />
      <span className="flex max-sm:hidden">
        <IconButton
          icon={ChevronsRight}
          name="Ten blocks forward (>)"
          disabled={frozen !== true}
          onClick={() => live.travel({ kind: 'step', blocks: 10 })}
        />
      </span>
    </span>
  );
});

interface ChoicesProps extends MarkedProps {
  readonly recordings: RecordingActions;
  readonly hasMarks: boolean;
}

/** Recordings, the marks A and B, and the way back to live. */
const Choices = memo(function Choices({ recordings, frozen, hasMarks, a, b, isLooping }: ChoicesProps) {
  const live = useLive();
  const { change } = usePageSearch(ladderSearch);
  const mark = (name: 'a' | 'b', at: number | undefined) => (
    <Button
      aria-pressed={at !== undefined}
      disabled={frozen === undefined}
      title={
        at === undefined
          ? `Mark the shown block as ${name.toUpperCase()}`
          : `Marked: block ${wholeText(at)}. Press to take it away`
      }
      onClick={() => change({ [name]: at === undefined ? live.panes()?.height : undefined })}
    >
      {name.toUpperCase()}
    </Button>
  );
  return (
    <>
      <RecordingsMenu actions={recordings} />
      <span className="flex shrink-0 items-center max-md:hidden">
        {mark('a', a)}
        {mark('b', b)}
        <IconButton
          icon={Repeat}
          name="Play from A to B, over and over"
          disabled={between(a, b) === undefined}
          aria-pressed={isLooping}
          onClick={() => change({ loop: isLooping ? undefined : '1' })}
        />
        {hasMarks && <Button onClick={() => change({ pane: 'tape', changes: '1' })}>Changes</Button>}
      </span>
      <Button
        look={frozen === true ? 'primary' : 'quiet'}
        disabled={frozen !== true}
        title="Return to live (L)"
        onClick={() => live.pause(false)}
      >
        Live
      </Button>
    </>
  );
});

/** How much is kept; the limits are in the hint. */
function Kept({ response, isRecorded }: { readonly response: TimeResponse; readonly isRecorded: boolean }) {
  const { first, last, blocks, changes, blocksMax, changesMax, gaps } = response;
  const memory = `${counted(blocks, 'block')} and ${counted(changes, 'change')}`;
  const title = usePointedTitle(() =>
    isRecorded
      ? `${memory} of the recording are in memory; the rest is read as you travel`
      : `${memory} kept; at most ${wholeText(blocksMax)} and ${wholeText(changesMax)}, the oldest go first`,
  );
  if (first === undefined || last === undefined) return null;
  return (
    <span className="num shrink-0 whitespace-nowrap text-dim max-lg:hidden" data-field="kept" {...title}>
      <SteadyText>{secondsText(last.time - first.time)}</SteadyText> {isRecorded ? 'recorded' : 'kept'}
      {gaps.length > 0 && <span className="text-stale"> · {counted(gaps.length, 'gap')}</span>}
    </span>
  );
}
