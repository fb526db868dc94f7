import type { Store } from '@l4desk/ledger';
import type { Variables } from '@l4desk/runtime/node';
import type { ServicePlace, ShellCommands } from './settings.ts';

/** The environment of the command line. */
export interface CliWorld {
  readonly environment: Variables;
  readonly envFilePath: string;
  /** The version of the package. */
  readonly version: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly now: () => number;
  /** The size of the terminal that `out` writes to; undefined if it is a file or a pipe. */
  readonly terminal?: () => TerminalSize | undefined;
  /** Aborts on Ctrl-C; used by commands that run until then. */
  readonly interruption?: () => AbortSignal;
}

/** In characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The context of a command. Output is one JSON document with `--json`, otherwise text lines. */
export interface CliContext {
  readonly now: () => number;
  readonly commands: ShellCommands;
  /** Opens the database of the settings, runs `act` and closes it. */
  readonly withStore: <T>(act: (store: Store) => Promise<T>) => Promise<T>;
  readonly print: (json: unknown, lines: readonly string[]) => void;
  /** A variable of the environment, or else of the `.env` file. As for the service, an empty value counts as not set. */
  readonly variable: (name: string) => string | undefined;
  /** The addresses and directories of the service with these settings. */
  readonly settings: () => ServicePlace;
  readonly wantsJson: () => boolean;
  readonly out: (text: string) => void;
  /** A sentence beside the output, on the error stream. */
  readonly note: (text: string) => void;
  readonly terminal: () => TerminalSize | undefined;
  readonly interruption: () => AbortSignal;
}
