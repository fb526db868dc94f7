import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryDirectory } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { fileSink, type LogSink, LogWriter, streamSink } from './log-writer.ts';

const flushed = (writer: LogWriter) => new Promise<void>((resolve) => writer.flush(resolve));

/** A destination whose writes the test completes. */
function heldSink() {
  const texts: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const sink: LogSink = (text, done) => {
    texts.push(text);
    ends.push(done);
  };
  return { sink, texts, end: (error?: Error) => ends.shift()?.(error) };
}

const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

it('[OPS-14] writes lines in order, one write at a time', () => {
  const { sink, texts, end } = heldSink();
  const writer = new LogWriter(sink);
  for (const line of ['1\n', '2\n', '3\n']) writer.write(line);
  expect(texts).toEqual(['1\n']);
  let isFlushed = false;
  writer.flush(() => (isFlushed = true));
  end();
  expect([texts, isFlushed]).toEqual([['1\n', '2\n3\n'], false]);
  end();
  expect([isFlushed, writer.health()]).toEqual([true, { writeErrors: 0, linesDropped: 0 }]);
});

it('[OPS-14] drops and counts lines that cannot be written, and reports the number with the next written line', () => {
  const { sink, texts, end } = heldSink();
  const writer = new LogWriter(sink);
  writer.write('1\n');
  writer.write('2\n');
  writer.write('3\n');
  end(full());
  end(full());
  expect(writer.health()).toEqual({ writeErrors: 2, linesDropped: 3 });
  writer.write('4\n');
  end();
  writer.write('5\n');
  end();
  const [notice = '', four] = texts[2]?.split('\n') ?? [];
  expect([JSON.parse(notice), four]).toMatchObject([{ level: 'warn', dropped: 3 }, '4']);
  expect(texts[3]).toBe('5\n');
  expect(writer.health().linesDropped).toBe(3);
});

it('[OPS-14] uses bounded memory if the reader does not read', () => {
  const { sink, texts, end } = heldSink();
  const writer = new LogWriter(sink);
  const line = `${'x'.repeat(999)}\n`;
  for (let n = 0; n < 5000; n += 1) writer.write(line);
  end();
  expect(texts[1]?.length).toBeLessThan(1_100_000);
  const waited = (texts[1]?.split(line).length ?? 0) - 1;
  const dropped = 5000 - 1 - waited;
  expect(writer.health().linesDropped).toBe(dropped);
  writer.write(line);
  end();
  expect([texts[2]?.endsWith(line), writer.health().linesDropped]).toEqual([true, dropped]);
});

it('[OPS-14] writes lines to a file, and counts each failed write to an unwritable one', async () => {
  await using temporary = await temporaryDirectory();
  const path = join(temporary.path, 'log');
  const file = openSync(path, 'a');
  const writer = new LogWriter(fileSink(file));
  for (let n = 0; n < 100; n += 1) writer.write(`${n}\n`);
  await flushed(writer);
  closeSync(file);
  expect(readFileSync(path, 'utf8')).toBe(Array.from({ length: 100 }, (_, n) => `${n}\n`).join(''));

  writeFileSync(path, '');
  const broken = existsSync('/dev/full') ? openSync('/dev/full', 'w') : openSync(path, 'r');
  const lost = new LogWriter(fileSink(broken));
  lost.write('1\n');
  await flushed(lost);
  lost.write('2\n');
  await flushed(lost);
  closeSync(broken);
  expect(lost.health()).toEqual({ writeErrors: 2, linesDropped: 2 });
});

it('[OPS-14] starts a new line after a write that failed inside a line', async () => {
  let room = 3;
  let written = '';
  const disk: Parameters<typeof fileSink>[1] = (_, bytes, start, length, __, done) => {
    const taken = Math.min(length, room);
    room -= taken;
    written += bytes.toString('utf8', start, start + taken);
    const error = taken === 0 ? full() : null;
    setImmediate(() => done(error, taken));
  };
  const writer = new LogWriter(fileSink(0, disk));
  writer.write('one\n');
  await flushed(writer);
  room = 1000;
  writer.write('two\n');
  await flushed(writer);
  expect(written).toMatch(/^one\n\{.*"dropped":1.*\}\ntwo\n$/);
});

it('[OPS-14] counts failed writes to a broken stream and does not throw', async () => {
  const stream = new PassThrough();
  const writer = new LogWriter(streamSink(stream));
  stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  writer.write('1\n');
  await flushed(writer);
  expect(writer.health()).toEqual({ writeErrors: 1, linesDropped: 1 });
});
