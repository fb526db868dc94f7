import { type History, redo, streamBlock } from '@l4desk/insight';
import { type Deflate, packRecording, type RawFrame, Recorder } from '@l4desk/recording';
import type { ExportOutcome } from '../../recorded.ts';

/** A keyframe per minute: the file is short, and is opened for time travel. */
const KEYFRAME_MS = 60_000;

interface ExportDeps {
  readonly line: History;
  readonly source: string;
  readonly now: number;
  readonly deflate: Deflate;
}

/** The kept minutes as a recording, with their gaps. Of order statuses, only what they explained is kept and exported. */
export async function exportPast({ line, source, now, deflate }: ExportDeps): Promise<ExportOutcome> {
  if (line.first < 0) return { kind: 'refused', problem: 'Nothing is kept yet.' };
  const { coin } = line;
  const frames: RawFrame[] = [];
  const recorder = new Recorder(
    { coin, source, statuses: 'book', keyframeMs: KEYFRAME_MS, checksumMs: 10_000 },
    (frame) => frames.push(frame),
    () => now,
  );
  for (const { book, start, blocks, gap } of line.replays()) {
    if (gap !== null) recorder.onLost(gap.reason);
    recorder.onBook(book, start);
    let { seq: prevSeq } = start;
    for (const block of blocks) {
      const { changes, statuses } = streamBlock(book, block);
      redo(book, block);
      recorder.onBlock(book, { coin, ...block.mark, prevSeq, changes, statuses });
      prevSeq = block.mark.seq;
    }
  }
  recorder.end();
  const pieces = await packRecording(frames, deflate);
  const stamp = new Date(line.markAt(line.last).time).toISOString().replaceAll(/[-:.]/g, '');
  return {
    kind: 'exported',
    name: `${coin.replaceAll(/[^A-Za-z0-9]/g, '_')}-${stamp}.l4rec`,
    file: new Blob(pieces as Uint8Array<ArrayBuffer>[], { type: 'application/octet-stream' }),
  };
}
