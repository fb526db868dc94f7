import { L4Book } from '@l4desk/book';
import { History, type OrderLife, orderLife } from '@l4desk/insight';
import type { RecordingReader } from '@l4desk/recording';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { CliFailure, counted, nameArgument, table, timestamp } from './outcome.ts';
import { askRecording, heightArgument } from './recorded.ts';

interface OrderOptions {
  readonly from: string;
}

/** No limits: only the order's own lifetime is traversed. */
const UNBOUNDED = {
  blocks: Number.POSITIVE_INFINITY,
  changes: Number.POSITIVE_INFINITY,
  stretches: Number.POSITIVE_INFINITY,
};

/** `order`: the complete life of an order in a recording. */
export function orderCommand(context: CliContext): Command {
  return new Command('order')
    .description('show the life of an order in a recording')
    .argument('<oid>', 'order id', heightArgument)
    .requiredOption('--from <file>', 'recording (.l4rec)', nameArgument)
    .addHelpText(
      'after',
      '\nBirth and place, who was ahead and what became of them, every resize, how and why it left, and the orders that it replaced or that replaced it while it lived.',
    )
    .action(async (oid: number, { from }: OrderOptions) => {
      const life = await askRecording(context, from, (recording) => lifeOf(recording, oid));
      if (life === undefined) throw new CliFailure(`Order ${oid} is not in ${from}.`);
      context.print(life, lifeLines(life));
    });
}

/** Finds the order first, then replays only its lifetime, because a long recording does not fit into memory. */
async function lifeOf(recording: RecordingReader, oid: number): Promise<OrderLife | undefined> {
  const { coin } = recording.header;
  const seen = await heightsOf(recording, oid);
  if (seen === undefined) return undefined;
  const line = new History(coin, UNBOUNDED);
  let epoch = '';
  let reason = 'upstream-gap';
  let isWhole = false;
  for await (const event of recording.events(seen.from)) {
    if (event.kind === 'gap') {
      reason = event.gap.reason;
      isWhole = false;
    } else if (event.kind === 'keyframe') {
      const { height, time, seq, levels } = event.keyframe;
      if (height > seen.to) break;
      epoch = event.keyframe.epoch;
      // A keyframe inside a run adds no information.
      if (!isWhole) line.begin(L4Book.build(coin, levels).book, { height, time, epoch, seq }, reason);
      isWhole = true;
    } else {
      if (event.block.height > seen.to) break;
      line.add({ coin, epoch, ...event.block });
    }
  }
  return line.last < 0 ? undefined : orderLife(line, line.bookAt(line.last), oid);
}

/** The range of heights in which the recording contains an order; undefined if it never does. */
async function heightsOf(recording: RecordingReader, oid: number) {
  let [from, to] = [Number.POSITIVE_INFINITY, -1];
  let hasLeft = false;
  const see = (height: number, left: boolean) => {
    from = Math.min(from, height);
    to = height;
    hasLeft = left;
  };
  for await (const event of recording.events()) {
    if (event.kind === 'keyframe') {
      const { height, levels } = event.keyframe;
      if (levels.some((side) => side.some((order) => order.oid === oid))) see(height, false);
    } else if (event.kind === 'block') {
      const { height, changes } = event.block;
      const last = changes.findLast((change) => change.oid === oid);
      if (last !== undefined) see(height, last.kind === 'remove');
    }
  }
  // An order that still rests is replayed to the end.
  return to < 0 ? undefined : { from, to: hasLeft ? to : Number.POSITIVE_INFINITY };
}

function lifeLines({ oid, user, side, px, cloid, birth, events, end, lifetimeBlocks, ahead, gaps, chain }: OrderLife) {
  const born =
    birth === null
      ? 'before the recording, or in a gap'
      : `block ${birth.mark.height}, ${timestamp(birth.mark.time)}, size ${birth.sz}`;
  return [
    `Order ${oid}  ${side === 'B' ? 'bid' : 'ask'} ${px}  ${user ?? 'owner not named'}${cloid === null ? '' : `  cloid ${cloid}`}`,
    `born      ${born}`,
    ...(ahead === null ? [] : [`ahead     ${counted(ahead.atBirth.length, 'order')} at birth`]),
    `left      ${end === null ? 'it rests at the end of what is recorded' : `block ${end.mark.height}: ${end.kind}${end.inferred ? ' (inferred)' : ''}`}`,
    ...(lifetimeBlocks === null ? [] : [`lifetime  ${counted(lifetimeBlocks, 'block')}`]),
    ...(gaps.length === 0 ? [] : [`gaps      ${gaps.length} in its life: not everything was seen`]),
    ...(chain.length < 2 ? [] : [`chain     ${chain.map((link) => link.oid).join(' → ')}`]),
    ...(events.length === 0
      ? []
      : table(
          ['BLOCK', 'WHAT', 'FROM', 'TO', 'WHY'],
          events.map(({ mark, kind, from, to, reason }) => [String(mark.height), kind, from, to, reason ?? '']),
          ['FROM', 'TO'],
        )),
  ];
}
