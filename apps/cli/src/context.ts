import type { Store, Variables } from '@l4desk/ledger';
import type { ServicePlace, ShellCommands } from './settings.ts';

/** What the command line needs of the world. */
export interface CliWorld {
  readonly environment: Variables;
  readonly envFilePath: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly now: () => number;
  /** The size of the terminal that `out` writes to; undefined where it is a file or a pipe. */
  readonly terminal?: () => TerminalSize | undefined;
  /** Aborts on Ctrl-C; used by commands that run until then. */
  readonly interruption?: () => AbortSignal;
}

/** In characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The context of a command; it prints one JSON document with `--json`, else lines for people. */
export interface CliContext {
  readonly now: () => number;
  readonly commands: ShellCommands;
  /** Runs with the database the settings name, and closes it. */
  readonly withStore: <T>(act: (store: Store) => Promise<T>) => Promise<T>;
  readonly print: (json: unknown, lines: readonly string[]) => void;
  /** A variable of the environment, or else of the `.env` file; an empty one counts as not set, as for the service. */
  readonly variable: (name: string) => string | undefined;
  /** Where the service of these settings is, and its data. */
  readonly settings: () => ServicePlace;
  readonly wantsJson: () => boolean;
  readonly out: (text: string) => void;
  readonly terminal: () => TerminalSize | undefined;
  readonly interruption: () => AbortSignal;
}
