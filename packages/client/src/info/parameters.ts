import type { InfoKind, InfoRequest } from '@l4desk/protocol';

/** The parameters of a query of kind `K`: its request without `type`. Optional fields may be omitted or null. */
export type InfoParameters<K extends InfoKind> = {
  // A mapped type, not Omit, which would lose the named fields of requests that take other fields as well.
  readonly [Field in keyof InfoRequest<K> as Field extends 'type' ? never : Field]: InfoRequest<K>[Field];
};
