import { isPostgresUrl } from '@l4desk/ledger';
import { firstIssue, z } from '@l4desk/protocol';
import { readEnvFile, SERVICE_DEFAULTS, type Variables } from '@l4desk/runtime/node';
import { CliFailure, EXIT } from './outcome.ts';

/** The shell commands that start this command line and the service, as shown in messages. */
export interface ShellCommands {
  readonly l4desk: string;
  readonly start: string;
}

/** In the repository, npm starts both. An installed `l4desk` starts both itself and passes its name in L4DESK_COMMAND. */
export function shellCommands({ L4DESK_COMMAND: installed }: Variables): ShellCommands {
  return installed === undefined
    ? { l4desk: 'npm run -s l4desk --', start: 'npm start' }
    : { l4desk: installed, start: installed };
}

/** The settings that say where the service and its data are. */
export interface ServicePlace {
  readonly DATA_DIR: string;
  readonly DATABASE_URL?: string | undefined;
  readonly HOST: string;
  readonly PORT: number;
}

const PORTS = 'must be a whole number from 0 to 65535';

const place = z.object({
  DATA_DIR: z.string().default(SERVICE_DEFAULTS.DATA_DIR),
  DATABASE_URL: z
    .string()
    .refine((url) => isPostgresUrl(url), 'must be a URL like postgres://user:password@host:5432/database')
    .optional(),
  HOST: z.string().default(SERVICE_DEFAULTS.HOST),
  PORT: z
    .string()
    .default(SERVICE_DEFAULTS.PORT)
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, PORTS)
    .transform(Number),
});

/** The settings that the command line shares with the service. Throws CliFailure if they are invalid. */
export function servicePlace(variable: (name: string) => string | undefined): ServicePlace {
  const names = ['DATA_DIR', 'DATABASE_URL', 'HOST', 'PORT'] as const;
  const result = place.safeParse(Object.fromEntries(names.map((name) => [name, variable(name)])));
  if (result.success) return result.data;
  const { path, problem } = firstIssue(result.error);
  throw new CliFailure(`Invalid settings:\n  ${path} ${problem}.`, EXIT.usage);
}

/** The variables of the `.env` file. Throws CliFailure if it cannot be read. */
export function envFileVariables(path: string): Variables {
  const variables = readEnvFile(path);
  if (typeof variables === 'string') throw new CliFailure(variables, EXIT.usage);
  return variables;
}
