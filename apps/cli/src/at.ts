import { snapshotAt } from '@l4desk/recording';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { counted, timestamp } from './outcome.ts';
import { askRecording, heightArgument } from './recorded.ts';

interface AtOptions {
  readonly height?: number;
}

/** `at`: the book of a recording at a height, in the format of `l4BookSnapshot`. */
export function atCommand(context: CliContext): Command {
  return new Command('at')
    .description('print the book of a recording at a block height')
    .argument('<file>', 'recording (.l4rec)')
    .option('--height <height>', 'block height (default: the end of the recording)', heightArgument)
    .addHelpText(
      'after',
      '\nWith --json the output is the response of l4BookSnapshot at that height; its own height is that of the last block that changed the book.\nExit code 1 if the height is not recorded; the message names the gap.',
    )
    .action(async (path: string, options: AtOptions) => {
      const snapshot = await askRecording(context, path, (recording) => snapshotAt(recording, options.height));
      const { coin, height, seq, time, levels } = snapshot;
      const [bids, asks] = levels;
      const best = (side: readonly { readonly limitPx: string }[]) => side[0]?.limitPx ?? 'none';
      context.print(snapshot, [
        `${coin}  block ${height}  seq ${seq}  ${timestamp(time)}`,
        `bids  ${counted(bids.length, 'order')}, best ${best(bids)}`,
        `asks  ${counted(asks.length, 'order')}, best ${best(asks)}`,
      ]);
    });
}
