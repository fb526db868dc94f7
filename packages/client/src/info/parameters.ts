import type { InfoKind, InfoRequest } from '@l4desk/protocol';

/** The parameters of a query of kind `K`: its request without `type`. Fields that it does not need may be left out or null. */
export type InfoParameters<K extends InfoKind> = {
  // A mapped type, not Omit: that would lose the named fields of requests that take others too.
  readonly [Field in keyof InfoRequest<K> as Field extends 'type' ? never : Field]: InfoRequest<K>[Field];
};
