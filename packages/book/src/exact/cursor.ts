import type { Address, DecimalString } from '@l4desk/protocol';
import type { OrderCursor, Units } from '../types.ts';
import { type ExactLevel, type ExactOrder, totalOf } from './level.ts';

/** A cursor over plain objects, whose amounts are all in units of `10^-pxScale`. */
export class ExactCursor implements OrderCursor {
  readonly pxScale: number;
  readonly szScale: number;
  private readonly levels: readonly ExactLevel[];
  /** The number of these in a unit of size. */
  private readonly szUnit: bigint;
  /** How far `nextLevel` has walked, and the current level. */
  private walked = -1;
  private level = -1;
  private place = -1;

  constructor(levels: readonly ExactLevel[], pxScale: number, szScale: number) {
    this.levels = levels;
    this.pxScale = pxScale;
    this.szScale = szScale;
    this.szUnit = 10n ** BigInt(pxScale - szScale);
  }

  nextLevel(): boolean {
    this.walked += 1;
    this.level = this.walked;
    this.place = -1;
    return this.level < this.levels.length;
  }

  toLevel(px: Units): boolean {
    const level = this.levels.findIndex((item) => item.px === BigInt(px));
    if (level < 0) return false;
    this.level = level;
    this.place = -1;
    return true;
  }

  get px(): bigint {
    return this.current.px;
  }

  get levelSz(): bigint {
    return totalOf(this.current) / this.szUnit;
  }

  get levelOrders(): number {
    return this.current.orders.length;
  }

  nextOrder(): boolean {
    this.place += 1;
    return this.place < this.current.orders.length;
  }

  get oid(): number {
    return this.resting.order.oid;
  }

  get user(): Address | null {
    return this.resting.order.user;
  }

  get ownerNumber(): number {
    return -1;
  }

  get sz(): bigint {
    return this.resting.sz / this.szUnit;
  }

  get timestamp(): number {
    return this.resting.order.timestamp;
  }

  get pxText(): DecimalString {
    return this.resting.order.limitPx;
  }

  get szText(): DecimalString {
    return this.resting.order.sz;
  }

  private get current(): ExactLevel {
    return this.levels[this.level] as ExactLevel;
  }

  private get resting(): ExactOrder {
    return this.current.orders[this.place] as ExactOrder;
  }
}
