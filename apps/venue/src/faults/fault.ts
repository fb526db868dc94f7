import { z } from '@l4desk/protocol';
import { nodeFault } from '../node-files/node-fault.ts';
import { infoFault } from './info-faults.ts';

/**
 * The blocks that a fault affects: the next `blocks` blocks that bring a client something of `coin`, or of any coin if it
 * is null.
 */
const scope = {
  coin: z.string().nullable().default(null),
  blocks: z.int().min(1).max(1_000_000).default(1),
};

const duration = z.int().min(1).max(3_600_000);

const CORRUPTIONS = ['oid', 'origSz', 'crossed', 'json', 'fields'] as const;

export type Corruption = (typeof CORRUPTIONS)[number];

/** Faults that change the next blocks as clients receive them. */
const blockFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop'), ...scope }),
  z.strictObject({ kind: z.literal('duplicate'), ...scope }),
  z.strictObject({ kind: z.literal('reorder'), ...scope }),
  z.strictObject({ kind: z.literal('delay'), ms: duration, ...scope }),
  z.strictObject({ kind: z.literal('corrupt'), mode: z.enum(CORRUPTIONS), ...scope }),
]);

export type BlockFault = z.infer<typeof blockFault>;

/** Faults of connections. */
const connectionFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cut') }),
  z.strictObject({ kind: z.literal('refuse'), ms: duration }),
  z.strictObject({ kind: z.literal('restart'), ms: z.int().min(0).max(3_600_000).default(0) }),
  z.strictObject({ kind: z.literal('silent'), ms: duration }),
  z.strictObject({ kind: z.literal('clear') }),
]);

/** Body of `POST /fault`. */
export const fault = z.discriminatedUnion('kind', [blockFault, connectionFault, infoFault, nodeFault]);

export type Fault = z.infer<typeof fault>;
