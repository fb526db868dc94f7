import { type DrawnText, openText } from './canvas/open-text.ts';

/** The words follow at every fourth tick of the page's clock, of which there are two a second. */
const TURNS = 4;

/** For so many ticks a box keeps the room of its longest text. */
const ROOM_TICKS = 20;

/**
 * A line of characters of one width that changes many times a second, in a box with room for them. It is drawn on a canvas,
 * beside the page's thread; the box holds the same words unseen, for who reads, copies or compares them. To change those
 * lays out and paints again, and has the browser copy what it knows of all boxes around, so they follow within two seconds.
 * Where no worker draws, or not yet, the words are seen and follow at once.
 * The box widens at once and narrows after ten seconds or twenty: what stands behind a number rests while its digits come
 * and go, and a box of another width has the browser put its layers together anew.
 */
export class LiveLine {
  readonly #box: HTMLElement;
  readonly #words: HTMLElement;
  #drawn: DrawnText | undefined;
  /** What is drawn is seen, and the words are not. */
  #isSeen = false;
  #text = '';
  /** What the words say: to read that from the page would cost as much as to write it. */
  #said = '';
  /** At which ticks the words follow. */
  readonly #turn: number;
  /** The characters that the box has room for; the most there were since it was last asked whether it has too much; ticks since. */
  #room = 0;
  #longest = 0;
  #ticks = 0;

  /** Lines of other turns have their words follow at other ticks: all at once would be much for one frame. */
  constructor(box: HTMLElement, turn = 0) {
    this.#box = box;
    this.#turn = turn;
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
    if (text.length > this.#room) this.#setRoom(text.length);
    this.#drawn?.write(text);
    if (!this.#isSeen) this.settle();
  }

  /** The page's clock ticks. */
  tick(): void {
    this.#ticks += 1;
    if (this.#ticks >= ROOM_TICKS) {
      const isNarrower = this.#longest < this.#room;
      if (isNarrower) this.#setRoom(this.#longest);
      this.#longest = this.#text.length;
      this.#ticks = 0;
      if (isNarrower) return this.settle();
    }
    if ((this.#ticks + this.#turn) % TURNS === 0) this.settle();
  }

  /**
   * Has the words follow. Unseen ones are filled with blanks: words of another width have the browser put its layers together
   * anew, as well.
   */
  settle(): void {
    const words = this.#isSeen ? this.#text.padEnd(this.#room) : this.#text;
    if (this.#said === words) return;
    this.#said = words;
    // The same node stays: a new one would cost its style, too.
    const node = this.#words.firstChild;
    if (node !== null) node.nodeValue = words;
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
