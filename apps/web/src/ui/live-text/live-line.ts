import { type DrawnText, openText } from './canvas/open-text.ts';

/** Number of ticks after which a box gives up room that no text has used. */
const ROOM_TICKS = 20;
/** Fewer characters of unused room are kept: a box of another width makes the browser lay out its line and rebuild its layers. */
const ROOM_KEPT = 3;

/**
 * A line of monospaced text that changes many times a second, in a box that is wide enough. It is drawn on a canvas, off the
 * page's thread. The DOM holds the same words for screen readers, copying and tests, and they follow with the page's clock:
 * inside the canvas, where the browser renders nothing of them, because any other changed text is laid out, painted and
 * composited. While somebody may copy them, they lie in the box as transparent text. While no worker draws, they are visible
 * there and follow at once.
 * The box widens at once. It narrows after ten to twenty seconds, and only by several characters: what follows the number does not
 * move while its digits come and go.
 */
export class LiveLine {
  readonly #box: HTMLElement;
  readonly #words: HTMLElement;
  #drawn: DrawnText | undefined;
  /** Whether the canvas is visible, and the words are not. */
  #isSeen = false;
  #text = '';
  /** The current DOM text: reading it from the page would cost as much as writing it. */
  #said = '';
  #isPointed = false;
  #isSelected = false;
  readonly #ending = new AbortController();
  readonly #least: number;
  /** Characters that the box has room for; the longest text since the last check for excess room; ticks since that check. */
  #room = 0;
  #longest = 0;
  #ticks = 0;

  /** The box always has room for `room` characters: a text that stays within it never changes the width. */
  constructor(box: HTMLElement, room = 0) {
    this.#box = box;
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
      onSelected: (isSelected) => {
        const isOrWas = isSelected || this.#isSelected;
        this.#isSelected = isSelected;
        if (isOrWas) this.settle();
      },
    });
    const { signal } = this.#ending;
    const onPointer = ({ type }: Event) => {
      this.#isPointed = type === 'pointerenter';
      if (this.#isPointed) this.settle();
    };
    for (const type of ['pointerenter', 'pointerleave']) box.addEventListener(type, onPointer, { signal });
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
      if (this.#room - needed >= ROOM_KEPT) {
        this.#setRoom(needed);
        if (this.#words.parentNode === this.#box) this.settle();
      }
      this.#longest = this.#text.length;
      this.#ticks = 0;
    }
    const canvas = this.#drawn?.canvas;
    if (!this.#isSeen || canvas === undefined || this.#said.trimEnd() === this.#text) return;
    if (this.#isPointed || this.#isSelected) return this.settle();
    if (this.#words.parentNode !== canvas) canvas.append(this.#words);
    this.#say(this.#text);
  }

  /** Updates the words, in the box. */
  settle(): void {
    if (this.#words.parentNode !== this.#box) this.#box.append(this.#words);
    // Transparent text is padded with blanks, because text of another width makes the browser rebuild its layers.
    this.#say(this.#isSeen ? this.#text.padEnd(this.#room) : this.#text);
  }

  #say(words: string): void {
    if (words === this.#said || this.#endsSelection()) return;
    this.#said = words;
    // Keeps the same node: a new one would also cost a style recalculation.
    const node = this.#words.firstChild;
    if (node !== null) node.nodeValue = words;
  }

  /** Whether a selection begins or ends in the words: other words would collapse it. */
  #endsSelection(): boolean {
    // Asked only if there is one: the answer makes the browser update styles and layout.
    const selection = this.#isSeen && this.#isSelected ? this.#box.ownerDocument.getSelection() : null;
    if (selection === null) return false;
    return this.#words.contains(selection.anchorNode) || this.#words.contains(selection.focusNode);
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
    this.#ending.abort();
    this.#drawn?.close();
    this.#words.remove();
  }
}
