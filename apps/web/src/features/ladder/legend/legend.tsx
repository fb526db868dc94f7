import { Keyboard, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useBook } from '../../../book-worker/use-book.ts';
import { useActionLists } from '../../../hooks/actions.ts';
import { PHONE, useMedia } from '../../../hooks/use-media.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useModal } from '../../../ui/use-modal.ts';
import { type Box, labelPlaces } from './label-places.ts';

/** What the legend explains: a selector, the first visible match of which is outlined, its name, and what it is. */
const ENTRIES = [
  ['[data-part=price]', 'Mid', 'between the best prices; the arrow is its last change'],
  ['[data-part=integrity]', 'State', 'of the book, and its age; press for block, seq, epoch and gaps'],
  ['[data-heading=price]', 'Price', 'asks (A) above, bids (B) below'],
  ['[data-heading=size]', 'Size', 'at the price; the bar behind is the depth up to it'],
  ['[data-heading=count]', 'n', 'orders at the price'],
  ['[data-heading=cumulative]', 'cum', 'size up to this price'],
  ['[data-heading=notional]', 'ntl', 'price × size'],
  ['[data-heading=flow]', '+ −', 'came and withdrawn in 5 s'],
  ['[data-heading=lane]', 'Queue', 'a segment for each order, front first'],
  [
    '[data-heading=orders]',
    'Marks',
    'a line over an order: large · letter or pattern: watched · two cuts: longer than the bar · +12: more behind',
  ],
  ['[data-heading=bar]', 'Mid bar', 'mid, its last direction, spread'],
  ['[data-heading=handle]', 'Sweep', 'drag up to buy, down to sell'],
  ['[data-part=minimap]', 'Map', 'of the whole book; the frame is what you see'],
  ['[data-part=title-controls] [aria-label=Columns]', 'Columns', 'presets and single columns'],
  ['[data-part=title-controls] [aria-label^=Ruler]', 'Ruler', 'measures between two prices'],
  [
    '[data-part=price-map]',
    'Price map',
    'size by price and time, mid, prints, watched orders; a press travels to that block',
  ],
  ['[data-part=tape]', 'Tape', 'prints: taker’s side, average price, size, orders and owners taken'],
  ['[data-part=owners]', 'Owners', 'who rests near the mid, and how much'],
  ['[data-part=level-controls]', 'Level', 'the orders of the chosen price in queue order'],
  ['[data-part=queues]', 'Queues', 'the watched wallets’ orders and their places'],
  ['[data-part=figures]', 'Figures', 'each with its last minutes; focus or hold one for its meaning'],
  ['[data-part=scrubber]', 'Time', 'the kept minutes: activity and gaps; drag to a moment'],
] as const;

interface LegendProps {
  readonly onClose: () => void;
}

/** What is on the book page, explained over it; on a phone as a list. */
export default function Legend({ onClose }: LegendProps) {
  const isPhone = useMedia(PHONE);
  return isPhone ? <LegendList onClose={onClose} /> : <LegendOverPage onClose={onClose} />;
}

function LegendList({ onClose }: LegendProps) {
  return (
    <Dialog title="Legend" open onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1.5 pt-3 text-12">
        {ENTRIES.map(([selector, name, text]) => (
          <div key={selector} className="contents">
            <dt className="text-strong">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="pt-3">
        <Shortcuts onClose={onClose} />
      </div>
    </Dialog>
  );
}

/** Closes the legend and opens the sheet of keys. */
function Shortcuts({ onClose }: LegendProps) {
  const sheet = useActionLists()
    .flatMap(({ actions }) => actions)
    .find(({ id }) => id === 'keys');
  if (sheet === undefined) return null;
  return (
    <Button
      icon={Keyboard}
      look="plain"
      onClick={() => {
        onClose();
        sheet.run();
      }}
    >
      Keyboard shortcuts
    </Button>
  );
}

/** An entry that is on the page, and its label's place; undefined before it is measured, or without room. */
interface Label {
  readonly name: string;
  readonly text: string;
  readonly target: Box;
  readonly place?: Box | undefined;
}

function LegendOverPage({ onClose }: LegendProps) {
  const { close, ...modal } = useModal(true, onClose);
  const [labels, setLabels] = useState<readonly Label[]>([]);
  const list = useRef<HTMLUListElement>(null);
  // The rows move with the market.
  const height = useBook(({ shown }) => shown?.height);
  useLayoutEffect(() => {
    const place = () => setLabels(labelsNow(list.current));
    // The labels have to be rendered before they can be measured.
    const frame = requestAnimationFrame(place);
    place();
    addEventListener('resize', place);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('resize', place);
    };
  }, [height]);
  return (
    <dialog
      {...modal}
      aria-label="Legend"
      data-part="legend"
      className="fixed inset-0 m-0 h-dvh max-h-none w-dvw max-w-none overflow-hidden bg-transparent backdrop:bg-surface-0/70"
    >
      <svg aria-hidden className="absolute inset-0 size-full stroke-accent">
        {labels.map(({ name, target, place }) => place !== undefined && <Line key={name} from={place} to={target} />)}
      </svg>
      {labels.map(({ name, target }) => (
        <div key={name} aria-hidden className="absolute rounded-4 border border-accent" style={{ ...target }} />
      ))}
      <ul ref={list}>
        {labels.map(({ name, text, place }) => (
          <li
            key={name}
            data-label={name}
            className={`absolute w-max max-w-56 rounded-4 border border-accent bg-surface-1 px-2 py-1 text-12 ${place === undefined ? 'invisible' : ''}`}
            style={place === undefined ? undefined : { left: place.left, top: place.top }}
          >
            <span className="font-medium text-strong">{name}</span> {text}
          </li>
        ))}
      </ul>
      <div className="absolute inset-x-0 bottom-2 mx-auto flex w-fit gap-2 rounded-4 border border-edge bg-surface-1 p-2">
        <Shortcuts onClose={close} />
        <Button icon={X} look="plain" onClick={close}>
          Close <kbd className="num text-11 text-dim">Esc</kbd>
        </Button>
      </div>
    </dialog>
  );
}

/** From the nearest edge of a label to its target; none if it lies inside. */
function Line({ from, to }: { readonly from: Box; readonly to: Box }) {
  const isBelow = from.top >= to.top + to.height;
  if (!isBelow && from.top + from.height > to.top) return null;
  const x = Math.max(from.left, Math.min(to.left + to.width / 2, from.left + from.width));
  return (
    <line
      x1={x}
      y1={isBelow ? from.top : from.top + from.height}
      x2={to.left + to.width / 2}
      y2={isBelow ? to.top + to.height : to.top}
    />
  );
}

/** The entries that are on the page now, with places for the labels that the list has rendered. */
function labelsNow(list: HTMLUListElement | null): readonly Label[] {
  const labels = ENTRIES.flatMap(([selector, name, text]) => {
    const target = [...document.querySelectorAll(selector)]
      .map(boxOf)
      .find(({ width, height }) => width > 0 && height > 0);
    return target === undefined ? [] : [{ name, text, target }];
  });
  const sizeOf = (name: string) => {
    const item = list?.querySelector(`[data-label="${name}"]`);
    return item == null ? undefined : boxOf(item);
  };
  const sizes = labels.map(({ name }) => sizeOf(name));
  const measured = sizes.filter((size) => size !== undefined);
  if (measured.length < labels.length) return labels;
  const places = labelPlaces(
    labels.map(({ target }) => target),
    measured,
    { width: innerWidth, height: innerHeight - FOOTER },
  );
  return labels.map((label, at) => ({ ...label, place: places[at] }));
}

/** Room for the buttons at the lower edge, px. */
const FOOTER = 56;

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}
