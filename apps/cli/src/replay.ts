import { describeGap, replayRecording } from '@l4desk/recording';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { CliFailure, counted, grouped } from './outcome.ts';
import { endText, withRecording } from './recorded.ts';

interface ReplayOptions {
  readonly verify?: true;
}

/**
 * `replay`: reads a whole recording and reports its contents. With `--verify`, compares the book with every checksum and
 * every keyframe; exit code 1 if one differs.
 */
export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description('go through a recording, report what it holds and what it missed, and verify it')
    .argument('<file>', 'recording (.l4rec)')
    .option('--verify', 'compare the book with every checksum and every keyframe')
    .addHelpText('after', '\nExit code 1 if a checksum, a keyframe or a block differs from the replayed book.')
    .action(async (path: string, options: ReplayOptions) => {
      const { end, ...report } = await withRecording(path, async (recording) => ({
        ...(await replayRecording(recording, { verify: options.verify === true })),
        end: recording.end,
      }));
      const { coin, from, to, blocks, gaps, keyframes, checksums, compared, differences, orders } = report;
      context.print({ ...report, end }, [
        from === null ? `${coin}  no book was recorded` : `${coin}  blocks ${from} to ${to}`,
        `recorded   ${counted(blocks, 'block')}, ${counted(report.changes, 'change')}, ${counted(keyframes, 'keyframe')}`,
        `orders     ${grouped(orders)} at the end`,
        `checksums  ${checksums}${compared === 0 ? '' : ` (${grouped(compared)} compared)`}`,
        `gaps       ${gaps.length === 0 ? 'none' : grouped(gaps.length)}`,
        ...gaps.map((gap) => `           ${describeGap(gap)}`),
        `file       ${endText(end)}`,
        ...differences.map((difference) => `DIFFERENT  ${difference}`),
      ]);
      if (checksums === 'different') throw new CliFailure(`${path}: the recording contradicts itself.`);
    });
}
