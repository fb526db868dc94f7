import type { OrderCursor, Units } from '@l4desk/book';
import { parseBigUnits, parseUnits } from '@l4desk/decimal';
import { type Address, type BookChange, type DecimalString, lowerCaseAddress } from '@l4desk/protocol';
import { negative, plus } from '../amounts.ts';

/** What one wallet rests on a level. */
interface Owned {
  /** In lower case. */
  readonly user: Address;
  orders: number;
  sz: Units;
}

/**
 * What each wallet rests on one level of a book. The level is read once; from then on a block costs as much as its changes there.
 */
export class LevelOwners {
  /** The price, as the level's front order printed it when it was read. */
  readonly pxText: DecimalString;
  /** Wallets that rest at least `wallSz`. */
  readonly walls = new Set<Owned>();
  private wallsChanged = true;
  private readonly wallSz: Units;
  private readonly szScale: number;
  private readonly owners = new Map<Address, Owned>();
  private readonly orders = new Map<number, { readonly own: Owned | undefined; sz: Units }>();

  /** Reads the level at which the cursor is, before its first order. */
  constructor(cursor: OrderCursor, wallSz: Units) {
    this.wallSz = wallSz;
    this.szScale = cursor.szScale;
    let pxText: DecimalString | undefined;
    while (cursor.nextOrder()) {
      pxText ??= cursor.pxText;
      this.insert(cursor.oid, cursor.user, cursor.sz);
    }
    // A level has an order.
    this.pxText = pxText ?? '0';
  }

  get isEmpty(): boolean {
    return this.orders.size === 0;
  }

  /** Whether `walls` may have changed since the last call; true at the first call. */
  takeWallsChanged(): boolean {
    const hasChanged = this.wallsChanged;
    this.wallsChanged = false;
    return hasChanged;
  }

  /** Takes the changes of one block on this level. Returns false if they do not apply to it: it has to be read again. */
  follow(changes: readonly BookChange[]): boolean {
    return changes.every((change) => {
      const known = this.orders.get(change.oid);
      if (change.kind === 'insert') {
        const sz = this.unitsOf(change.sz);
        if (known !== undefined || sz === undefined) return false;
        this.insert(change.oid, change.user, sz);
        return true;
      }
      const sz = change.kind === 'remove' ? 0 : this.unitsOf(change.newSz);
      if (known === undefined || sz === undefined) return false;
      this.grow(known.own, plus(sz, negative(known.sz)));
      known.sz = sz;
      if (change.kind === 'remove') this.remove(change.oid, known.own);
      return true;
    });
  }

  private insert(oid: number, user: Address | null, sz: Units): void {
    const own = user === null ? undefined : this.ownerOf(lowerCaseAddress(user));
    this.orders.set(oid, { own, sz });
    if (own !== undefined) own.orders += 1;
    this.grow(own, sz);
  }

  private remove(oid: number, own: Owned | undefined): void {
    this.orders.delete(oid);
    if (own === undefined) return;
    own.orders -= 1;
    if (own.orders === 0) this.owners.delete(own.user);
  }

  private ownerOf(user: Address): Owned {
    const known = this.owners.get(user);
    if (known !== undefined) return known;
    const own: Owned = { user, orders: 0, sz: 0 };
    this.owners.set(user, own);
    return own;
  }

  private grow(own: Owned | undefined, by: Units): void {
    if (own === undefined) return;
    own.sz = plus(own.sz, by);
    const isWall = own.sz > 0 && own.sz >= this.wallSz;
    if (isWall === this.walls.has(own)) return;
    this.wallsChanged = true;
    if (isWall) this.walls.add(own);
    else this.walls.delete(own);
  }

  private unitsOf(sz: DecimalString): Units | undefined {
    return parseUnits(sz, this.szScale) ?? parseBigUnits(sz, this.szScale);
  }
}
