import type { Address } from '@l4desk/protocol';
import type { Account } from '../engine/order.ts';
import type { Random } from '../engine/random.ts';

/** What a wallet lives from; every wallet keeps to its role. */
export type WalletRole =
  | 'maker'
  | 'taker'
  | 'wall'
  | 'bracket'
  | 'racer'
  | 'stretched'
  | 'careless'
  | 'stacker'
  | 'crowd';

export interface Wallet extends Account {
  readonly name: string;
  readonly role: WalletRole;
}

/** Named wallets of each role; the crowd's number depends on the size of the market. */
const NAMED: Readonly<Record<Exclude<WalletRole, 'crowd'>, number>> = {
  maker: 80,
  taker: 120,
  wall: 24,
  bracket: 80,
  racer: 16,
  stretched: 12,
  careless: 12,
  stacker: 4,
};

const CROWD = 6_000;

const CROWD_MIN = 60;

/** In millionths of a dollar: 200 million, far past any order of the market; the stretched can afford next to nothing. */
const BUYING_POWER = 200_000_000_000_000;
const STRETCHED_BUYING_POWER = 50_000_000;

/** All wallets of the exchange, the same for the same seed. */
export class WalletRegistry {
  readonly all: readonly Wallet[];
  readonly #byRole = new Map<WalletRole, readonly Wallet[]>();

  constructor(random: Random, size: number) {
    const crowd = Math.max(CROWD_MIN, Math.round(CROWD * size));
    const roles = Object.entries({ ...NAMED, crowd }) as [WalletRole, number][];
    for (const [role, count] of roles) {
      this.#byRole.set(
        role,
        Array.from({ length: count }, (_, index) => newWallet(random, role, index + 1)),
      );
    }
    this.all = [...this.#byRole.values()].flat();
  }

  of(role: WalletRole): readonly Wallet[] {
    return this.#byRole.get(role) ?? [];
  }
}

function newWallet(random: Random, role: WalletRole, number: number): Wallet {
  return {
    address: newAddress(random),
    name: `${role}-${number}`,
    role,
    buyingPower: role === 'stretched' ? STRETCHED_BUYING_POWER : BUYING_POWER,
    openOrders: 0,
  };
}

function newAddress(random: Random): Address {
  let digits = '';
  for (let i = 0; i < 5; i += 1) digits += random.u32().toString(16).padStart(8, '0');
  return `0x${digits}`;
}
