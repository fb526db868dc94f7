import { drawSmallLater } from '../../state/draw-later.ts';
import { type DrawnText, openText } from './canvas/open-text.ts';

/** The DOM text follows at every fourth tick of the page's clock, which ticks twice a second. */
const TURNS = 4;

/** Number of ticks for which a box keeps the width of its longest text. */
const ROOM_TICKS = 20;

/**
 * A line of monospaced text that changes many times a second, in a box that is wide enough. It is drawn on a canvas, off the
 * page's thread; the box also holds the same text, transparent, for screen readers, copying and tests. Changing that text
 * causes layout and paint, and makes the browser copy what it knows about all boxes around, so it follows every two seconds.
 * While no worker draws, the text itself is visible and follows at once.
 * The box widens at once and narrows after ten to twenty seconds: what follows the number then does not move while its digits
 * come and go, and a box of another width makes the browser rebuild its layers.
 */
export class LiveLine {
  readonly #box: HTMLElement;
  readonly #words: HTMLElement;
  #drawn: DrawnText | undefined;
  /** Whether the canvas is visible, and the DOM text transparent. */
  #isSeen = false;
  #text = '';
  /** The current DOM text: reading it from the page would cost as much as writing it. */
  #said = '';
  /** Shifts the ticks at which the DOM text follows. */
  readonly #turn: number;
  readonly #least: number;
  readonly #follow = () => this.settle();
  /** Characters that the box has room for; the longest text since the last check for excess room; ticks since that check. */
  #room = 0;
  #longest = 0;
  #ticks = 0;

  /**
   * Lines with other `turn`s update their DOM text at other ticks, and lines with the same `turn` share the frames after their
   * tick: all at once would be too much for one frame. The box always has room for `room` characters: a text that stays within it
   * never changes the width.
   */
  constructor(box: HTMLElement, turn = 0, room = 0) {
    this.#box = box;
    this.#turn = turn;
    this.#least = room;
    this.#words = box.ownerDocument.createElement('span');
    this.#words.append('');
    box.append(this.#words);
    this.#drawn = openText(box, {
      onReady: () => this.#setSeen(true),
      onFailure: () => {
        this.#drawn = undefined;
        this.#setSeen(false);
        this.settle();
      },
    });
  }

  write(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#longest = Math.max(this.#longest, text.length);
    if (text.length > this.#room) this.#setRoom(Math.max(text.length, this.#least));
    this.#drawn?.write(text);
    if (!this.#isSeen) this.settle();
  }

  /** Called at each tick of the page's clock. */
  tick(): void {
    this.#ticks += 1;
    if (this.#ticks >= ROOM_TICKS) {
      const needed = Math.max(this.#longest, this.#least);
      const isNarrower = needed < this.#room;
      if (isNarrower) this.#setRoom(needed);
      this.#longest = this.#text.length;
      this.#ticks = 0;
      if (isNarrower) return this.settle();
    }
    if ((this.#ticks + this.#turn) % TURNS === 0 && this.#said !== this.#padded()) drawSmallLater(this.#follow);
  }

  /** Updates the DOM text. */
  settle(): void {
    const words = this.#padded();
    if (words === this.#said) return;
    this.#said = words;
    // Keeps the same node: a new one would also cost a style recalculation.
    const node = this.#words.firstChild;
    if (node !== null) node.nodeValue = this.#said;
  }

  /** Transparent text is padded with blanks, because text of another width also makes the browser rebuild its layers. */
  #padded(): string {
    return this.#isSeen ? this.#text.padEnd(this.#room) : this.#text;
  }

  #setRoom(characters: number): void {
    this.#room = characters;
    this.#box.style.width = `${characters}ch`;
  }

  #setSeen(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#words.style.opacity = isSeen ? '0' : '';
  }

  close(): void {
    this.#drawn?.close();
    this.#words.remove();
  }
}
