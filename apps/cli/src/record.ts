import { once } from 'node:events';
import { accessSync, constants, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FollowEvent, Follower } from '@l4desk/client';
import type { StatusesMode } from '@l4desk/protocol';
import { HeightWentBack, Recorder } from '@l4desk/recording';
import { RecordingFile } from '@l4desk/recording/node';
import { Command, Option } from 'commander';
import type { CliContext } from './context.ts';
import { codeFailure, fileFailure } from './file-failure.ts';
import { CliFailure, counted, grouped, nameArgument } from './outcome.ts';
import { withRecording } from './recorded.ts';
import {
  type Following,
  following,
  liveBook,
  patience,
  runningService,
  type ServiceOptions,
  wholeArgument,
  withServiceOptions,
} from './service.ts';

interface RecordOptions extends ServiceOptions {
  readonly out: string;
  readonly statuses: StatusesMode;
  readonly seconds?: number;
  readonly blocks?: number;
  readonly timeout: number;
}

/** Interval at which blocks are written from memory to the file, in ms. */
const FLUSH_MS = 1_000;

/** `record`: records the book of a coin of a service until Ctrl-C, or for a given time. */
export function recordCommand(context: CliContext): Command {
  const command = new Command('record')
    .description('record the book of a coin to a file, until Ctrl-C')
    .argument('<coin>', 'perp coin; case-sensitive', nameArgument)
    .requiredOption('--out <file>', 'file to create (.l4rec)', nameArgument)
    .option('--seconds <n>', 'stop after this time', wholeArgument(1, 2_000_000))
    .option('--blocks <n>', 'stop after this many blocks', wholeArgument(1, 999_999_999))
    .addOption(
      new Option('--statuses <which>', 'book: the order statuses that the book needs; all: every one')
        .choices(['book', 'all'])
        .default('book'),
    )
    .option('--timeout <seconds>', 'how long to wait for the book', wholeArgument(1, 3_600), 30)
    .addHelpText(
      'after',
      '\nLost connections are opened again; what was missed is in the list of gaps. A recording that is cut off is readable.\nCosts 1 credit per started minute, and 1 per snapshot.',
    );
  return withServiceOptions(command).action(async (coin: string, options: RecordOptions) => {
    const service = runningService(context, options);
    checkFree(options.out);
    const interrupted = context.interruption();
    const print = (line: string) => {
      if (!context.wantsJson()) context.out(`${line}\n`);
    };
    const session = new Session(coin, service.url, options, { now: context.now, print });
    const live = async (books: Following) => {
      try {
        await liveBook(books, coin, patience(interrupted, options.timeout));
        print(`Recording ${coin} to ${options.out}. Press Ctrl-C to stop.`);
        await session.failure(stopped(AbortSignal.any([interrupted, session.isDone]), options.seconds));
      } finally {
        // Before the follower closes, because that would be recorded as a loss.
        session.end();
      }
    };
    try {
      await following(service, [coin], (event, follower) => session.take(event, follower), live, {
        statuses: options.statuses,
      });
    } finally {
      session.end();
    }
    const { range, gaps } = await withRecording(options.out, async (recording) => recording);
    const summary = { coin, file: options.out, ...range, blocks: session.blocks, gaps, bytes: session.bytes };
    context.print(summary, [
      `${coin}  blocks ${range?.from} to ${range?.to}  ${counted(session.blocks, 'block')}, ${counted(gaps.length, 'gap')}, ${grouped(session.bytes)} bytes`,
    ]);
  });
}

/** Throws CliFailure if the file cannot be created. The recording creates it with the first book, which costs credits. */
function checkFree(path: string): void {
  if (path.endsWith('/')) throw codeFailure(path, 'EISDIR');
  try {
    // Not `existsSync`: a link to nothing exists as well.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw codeFailure(path, 'EEXIST');
    // With the slash, a file in place of the folder is an error.
    accessSync(`${dirname(path)}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileFailure(path, error);
  }
}

/** Resolves when the signal aborts or the time is up. */
async function stopped(signal: AbortSignal, seconds: number | undefined): Promise<void> {
  if (signal.aborted) return;
  if (seconds === undefined) await once(signal, 'abort');
  else await pause(seconds * 1_000, undefined, { signal, ref: false }).catch(() => {});
}

/** A recording in progress, fed by the events of one coin. Its first problem ends the command. */
class Session {
  readonly #coin: string;
  readonly #path: string;
  readonly #recorder: Recorder;
  readonly #timer: NodeJS.Timeout;
  #file: RecordingFile | undefined;
  #fail: (error: unknown) => void = () => {};
  #failed: Promise<never>;
  #hasFailed = false;
  readonly #print: (line: string) => void;
  readonly #done = new AbortController();
  readonly #blocksMax: number;
  #isLost = false;
  /** The connection is lost, or missed blocks are about to be resent. */
  #isAway = false;
  #hasEnded = false;
  blocks = 0;

  constructor(
    coin: string,
    source: string,
    { out, statuses, blocks }: RecordOptions,
    { now, print }: { readonly now: () => number; readonly print: (line: string) => void },
  ) {
    this.#print = print;
    this.#blocksMax = blocks ?? Number.POSITIVE_INFINITY;
    this.#coin = coin;
    this.#path = out;
    this.#recorder = new Recorder({ coin, source, statuses }, (frame) => this.#file?.write(frame), now);
    this.#failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    // May be rejected before it is awaited.
    this.#failed.catch(() => {});
    this.#timer = setInterval(() => {
      this.#try(() => {
        this.#recorder.flush();
        this.#file?.sync();
      });
    }, FLUSH_MS);
  }

  /** Aborts once the requested number of blocks has been recorded. */
  get isDone(): AbortSignal {
    return this.#done.signal;
  }

  get bytes(): number {
    return this.#file?.size ?? 0;
  }

  take(event: FollowEvent, follower: Follower): void {
    this.#try(() => this.#take(event, follower));
  }

  /** Resolves with `wait`, or rejects with the first problem of the recording. */
  async failure(wait: Promise<void>): Promise<void> {
    await Promise.race([wait, this.#failed]);
  }

  /** Ends the file properly unless a write has failed. */
  end(): void {
    if (this.#hasEnded) return;
    clearInterval(this.#timer);
    this.#try(() => {
      if (this.#isAway) this.#recorder.onLost('disconnected');
      this.#recorder.end();
      this.#file?.end();
    });
    this.#hasEnded = true;
    this.#file?.[Symbol.dispose]();
  }

  #take(event: FollowEvent, follower: Follower): void {
    const view = follower.coin(this.#coin);
    if (event.kind === 'state') {
      const { kind, reason, detail } = event.state;
      if (kind === 'live') {
        if (this.#isAway)
          this.#print(`${this.#coin}  resumed at block ${this.#recorder.height}: no blocks were missed`);
        this.#isLost &&= !this.#isAway;
        this.#isAway = false;
        return;
      }
      // After a disconnect, the service may resend missed blocks; then nothing is lost.
      this.#isAway = kind === 'stale' && reason === 'disconnected';
      if (!this.#isAway) this.#recorder.onLost(reason ?? kind);
      if (this.#file !== undefined && !this.#isLost) {
        this.#print(`${this.#coin}  lost after block ${this.#recorder.height}: ${detail}`);
        this.#isLost = true;
      }
      return;
    }
    if (view?.book === undefined) return;
    if (event.kind === 'block') {
      if (this.#done.signal.aborted) return;
      this.#recorder.onBlock(view.book, event.batch);
      this.blocks += 1;
      if (this.blocks >= this.#blocksMax) this.#done.abort();
    } else if (event.kind === 'book') {
      const { epoch, height, blockTime: time, seq } = view;
      if (epoch === undefined || height === undefined || time === undefined || seq === undefined) return;
      this.#file ??= new RecordingFile(this.#path);
      this.#recorder.onBook(view.book, { epoch, height, time, seq });
      if (this.#isLost) this.#print(`${this.#coin}  recording again from block ${height}`);
      this.#isLost = false;
    }
  }

  /** The first failure ends the session, because anything written after it could not be read. */
  #try(act: () => void): void {
    if (this.#hasFailed || this.#hasEnded) return;
    try {
      act();
    } catch (error) {
      this.#hasFailed = true;
      const problem =
        error instanceof HeightWentBack ? new CliFailure(`${error.message} Start a new recording.`) : error;
      this.#fail(fileFailure(this.#path, problem));
    }
  }
}
