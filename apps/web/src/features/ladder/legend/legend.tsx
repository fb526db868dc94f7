import { Keyboard, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useActionLists } from '../../../hooks/actions.ts';
import { PHONE, useMedia } from '../../../hooks/use-media.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useModal } from '../../../ui/use-modal.ts';

/**
 * What the legend explains: a selector, of which the first visible match is outlined, where its label belongs, its name, and what it
 * is. The headings come from right to left: then no line to a heading crosses the label of another.
 */
const ENTRIES: readonly (readonly [selector: string, where: Where, name: string, text: string])[] = [
  ['[data-heading=lane]', 'below', 'Queue', 'one segment an order, front first'],
  ['[data-heading=flow]', 'below', '+ −', 'came and withdrawn in 5 s'],
  ['[data-heading=notional]', 'below', 'ntl', 'price × size'],
  ['[data-heading=cumulative]', 'below', 'cum', 'size up to this price'],
  ['[data-heading=count]', 'below', 'n', 'orders at the price'],
  ['[data-heading=size]', 'below', 'Size', 'at the price; behind it the depth'],
  ['[data-heading=price]', 'below', 'Price', 'A asks, B bids; press for the orders'],
  [
    '[data-heading=orders]',
    'below',
    'Marks',
    'a line over it: large · letter or pattern: watched · two cuts: longer than the bar · +12: more behind',
  ],
  ['[data-heading=handle]', 'below', 'Sweep', 'drag up to buy, down to sell'],
  ['[data-heading=bar]', 'below', 'Mid bar', 'mid, its last change, spread'],
  ['[data-part=title-controls] [aria-label^=Ruler]', 'above', 'Ruler', 'between two prices'],
  ['[data-part=title-controls] [aria-label=Columns]', 'above', 'Columns', 'presets, bars'],
  ['[data-part=price]', 'above', 'Mid', 'and its last change'],
  ['[data-part=integrity]', 'above', 'State', 'and age; press for its parts'],
  ['[data-part=minimap]', 'inside', 'Map', 'of the whole book; framed: in view'],
  [
    '[data-part=price-map]',
    'inside',
    'Price map',
    'size by price and time, mid, prints, watched orders; a press shows that block',
  ],
  ['[data-part=tape]', 'inside', 'Tape', 'prints: taker’s side, average price, size, orders and owners taken'],
  ['[data-part=owners]', 'inside', 'Owners', 'who rests near the mid, and how much'],
  ['[data-part=level-controls]', 'below', 'Level', 'the orders of the chosen price in queue order'],
  ['[data-part=queues]', 'inside', 'Queues', 'orders of watched wallets and their places'],
  ['[data-part=figures]', 'above', 'Figures', 'each with its last minutes and a tooltip'],
  ['[data-part=scrubber]', 'above', 'Time', 'the kept minutes, activity and gaps; drag to a moment'],
];

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
        {ENTRIES.map(([selector, , name, text]) => (
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
  useLayoutEffect(() => {
    const place = () => setLabels(labelsNow(list.current));
    place();
    // The labels have to be rendered before they can be measured.
    const frame = requestAnimationFrame(place);
    // The bar moves with the market.
    const moves = new MutationObserver(place);
    const ladders = document.querySelector('[data-part=ladders]');
    if (ladders !== null) moves.observe(ladders, { subtree: true, attributeFilter: ['style'] });
    addEventListener('resize', place);
    return () => {
      cancelAnimationFrame(frame);
      moves.disconnect();
      removeEventListener('resize', place);
    };
  }, []);
  const isMeasured = labels.some(({ place }) => place !== undefined);
  const withoutRoom = isMeasured ? labels.filter(({ place }) => place === undefined) : [];
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
      {labels.map(
        ({ name, target, place }) =>
          place !== undefined && (
            <div key={name} aria-hidden className="absolute rounded-4 border border-accent" style={{ ...target }} />
          ),
      )}
      <ul ref={list}>
        {labels.map(({ name, text, place }) => (
          <li
            key={name}
            data-label={name}
            className={`absolute w-max max-w-64 rounded-4 border border-accent bg-surface-1 px-2 py-1 text-12 ${place === undefined ? 'invisible' : ''}`}
            style={place === undefined ? undefined : { left: place.left, top: place.top }}
          >
            <span className="font-medium text-strong">{name}</span> {text}
          </li>
        ))}
      </ul>
      <div className="absolute right-2 bottom-2 flex gap-2 rounded-4 border border-edge bg-surface-1 p-2">
        {withoutRoom.length > 0 && (
          <ul aria-label="More on this page" className="max-h-9 max-w-96 overflow-y-auto text-12">
            {withoutRoom.map(({ name, text }) => (
              <li key={name}>
                <span className="font-medium text-strong">{name}</span> {text}
              </li>
            ))}
          </ul>
        )}
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
  const x = within(to.left + to.width / 2, from);
  return (
    <line
      x1={x}
      y1={isBelow ? from.top : from.top + from.height}
      x2={within(x, to)}
      y2={isBelow ? to.top + to.height : to.top}
    />
  );
}

const within = (x: number, { left, width }: Box) => Math.max(left, Math.min(x, left + width));

/** The entries that are on the page now, with places for the labels that the list has rendered. */
function labelsNow(list: HTMLUListElement | null): readonly Label[] {
  const labels = ENTRIES.flatMap(([selector, where, name, text]) => {
    const boxes = [...document.querySelectorAll(selector)].map(boxOf);
    const target = boxes.find(({ width, height }) => width > 0 && height > 0);
    return target === undefined ? [] : [{ name, text, where, target }];
  });
  const targets = labels.flatMap(({ name, where, target: box }) => {
    const item = list?.querySelector(`[data-label="${name}"]`) ?? undefined;
    return item === undefined ? [] : [{ box, where, label: boxOf(item) }];
  });
  if (targets.length < labels.length) return labels;
  const places = labelPlaces(targets, { width: innerWidth, height: innerHeight - FOOTER });
  return labels.map((label, at) => ({ ...label, place: places[at] }));
}

/** Room for the buttons at the lower edge, px. */
const FOOTER = 56;

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Box, 'width' | 'height'>;

/** Where the label of a target belongs: over the middle of a tall one, otherwise on one side, or on the other if it is full. */
export type Where = 'above' | 'below' | 'inside';

interface Target {
  readonly box: Box;
  readonly where: Where;
  readonly label: Size;
}

/** Gap between labels, and between a label and what it explains, px. */
const GAP = 6;
/** Distance between the places that are tried, px. */
const STEP = 14;
const TRIES = 24;

/**
 * Places a label for each target, one after the other, as near to it as the labels before leave room. One that finds no room in
 * the window is undefined.
 */
export function labelPlaces(targets: readonly Target[], window: Size): readonly (Box | undefined)[] {
  const placed: Box[] = [];
  return targets.map((target) => {
    const found = candidates(target, window).find(
      (place) => isInside(place, window) && placed.every((other) => !touches(place, other)),
    );
    if (found !== undefined) placed.push(found);
    return found;
  });
}

function candidates({ box, where, label: { width, height } }: Target, window: Size): readonly Box[] {
  const left = where === 'inside' ? box.left + (box.width - width) / 2 : box.left;
  const steps = Array.from({ length: TRIES }, (_, step) => step * STEP);
  const above = steps.map((step) => box.top - GAP - height - step);
  const below = steps.map((step) => box.top + box.height + GAP + step);
  const inside = steps.map((step) => box.top + (box.height - height) / 2 + step);
  const tops = { above: [...above, ...below], below: [...below, ...above], inside }[where];
  return tops.map((top) => ({ left: Math.max(GAP, Math.min(left, window.width - width - GAP)), top, width, height }));
}

function isInside({ left, top, width, height }: Box, window: Size): boolean {
  return left >= 0 && top >= 0 && left + width <= window.width && top + height <= window.height;
}

function touches(one: Box, other: Box): boolean {
  return (
    one.left < other.left + other.width + GAP &&
    other.left < one.left + one.width + GAP &&
    one.top < other.top + other.height + GAP &&
    other.top < one.top + one.height + GAP
  );
}
