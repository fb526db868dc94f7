import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { OrderCursor, Units } from '../types.ts';
import type { LevelWalk } from './level-index.ts';
import type { FastSide } from './level-store.ts';
import { NONE } from './order-store.ts';
import type { StoredBook } from './stored-book.ts';

/** A cursor over the arrays: it moves two numbers and reads the rest in place. */
export class FastCursor implements OrderCursor {
  readonly pxScale: number;
  readonly szScale: number;
  private readonly book: StoredBook;
  private readonly side: FastSide;
  private readonly walk: LevelWalk;
  private level = NONE;
  private slot = NONE;
  /** The order that `nextOrder` moves to. */
  private following = NONE;

  constructor(book: StoredBook, side: Side) {
    this.book = book;
    this.pxScale = book.pxScale;
    this.szScale = book.szScale;
    this.side = book.sideAt(side);
    this.walk = this.side.index.walk();
  }

  nextLevel(): boolean {
    this.level = this.walk.next();
    if (this.level === NONE) return false;
    this.following = this.book.levels.head(this.level);
    return true;
  }

  toLevel(px: Units): boolean {
    const level = typeof px === 'number' ? this.side.index.find(px * this.side.sign) : NONE;
    if (level === NONE) return false;
    this.level = level;
    this.following = this.book.levels.head(level);
    return true;
  }

  get px(): number {
    return this.book.levels.px(this.level);
  }

  get levelSz(): number {
    return this.book.levels.total(this.level);
  }

  get levelOrders(): number {
    return this.book.levels.count(this.level);
  }

  nextOrder(): boolean {
    this.slot = this.following;
    if (this.slot === NONE) return false;
    this.following = this.book.orderStore.next(this.slot);
    return true;
  }

  get oid(): number {
    return this.book.orderStore.oid(this.slot);
  }

  get user(): Address | null {
    return this.book.orderStore.ownerOf(this.slot) as Address | null;
  }

  get ownerNumber(): number {
    return this.book.orderStore.ownerNumber(this.slot);
  }

  get sz(): number {
    return this.book.orderStore.sz(this.slot);
  }

  get timestamp(): number {
    return this.book.orderStore.timestamp(this.slot);
  }

  get pxText(): DecimalString {
    return this.book.pxText(this.slot);
  }

  get szText(): DecimalString {
    return this.book.orderStore.szText(this.slot, this.szScale);
  }
}
