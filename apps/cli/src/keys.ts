import {
  type Account,
  CREDENTIAL_NAME,
  type Credential,
  type CredentialKind,
  issueKey,
  keyLabel,
  type Store,
  shownKey,
} from '@l4desk/ledger';
import { Command, Option } from 'commander';
import type { CliContext } from './context.ts';
import { argument, CliFailure, EXIT, table, timestamp } from './outcome.ts';
import type { ShellCommands } from './settings.ts';

interface CreateOptions {
  readonly kind: CredentialKind;
  readonly account: string | undefined;
  readonly label: string;
}

/** `keys create`, `keys list` and `keys revoke`. */
export function keyCommands({ withStore, print, now, commands }: CliContext): Command {
  const keys = new Command('keys').description('manage keys');

  keys
    .command('create')
    .description('create a key; it is shown only once')
    .addOption(
      new Option('--kind <kind>', 'api: queries and the stream; service: usage')
        .choices(['api', 'service'])
        .default('api'),
    )
    .option('--account <name>', 'account of the key; optional if there is only one')
    .option('--label <text>', 'what the key is for', argument(keyLabel), '')
    .action(async ({ kind, account: named, label }: CreateOptions) => {
      const { id, key, account } = await withStore(async (store) => {
        const owner = named === undefined ? await onlyAccount(store, kind, commands) : await store.accountNamed(named);
        if (owner === undefined) throw new CliFailure(`No account named ${named}; see "accounts list".`);
        return { ...(await issueKey(store, owner.id, kind, label, now())), account: owner.name };
      });
      print({ id, kind, account, label, key }, [
        `${id}: ${CREDENTIAL_NAME[kind]} of ${account}. It will not be shown again:`,
        key,
      ]);
    });

  keys
    .command('list')
    .description('list keys, without their secrets')
    .action(async () => {
      const list = await withStore((store) => store.listCredentials());
      const rows = list.map((key) => [
        key.id,
        key.kind,
        key.accountName,
        shownKey(key),
        key.label,
        timestamp(key.createdAt),
        key.revokedAt === null ? '' : timestamp(key.revokedAt),
      ]);
      print(
        list.map(keyJson),
        list.length === 0
          ? ['No keys yet.']
          : table(['ID', 'KIND', 'ACCOUNT', 'KEY', 'LABEL', 'CREATED', 'REVOKED'], rows),
      );
    });

  keys
    .command('revoke')
    .description('revoke a key; it is refused within seconds, and its streams are closed')
    .argument('<id>', 'id of the key, from "keys list"')
    .action(async (id: string) => {
      const at = now();
      const outcome = await withStore((store) => store.revokeCredential(id, at));
      if (outcome === 'unknown') throw new CliFailure(`No key with the id ${shortened(id)}; see "keys list".`);
      print({ id, revoked: true, already: outcome === 'already-revoked' }, [
        outcome === 'revoked' ? `Key ${id} revoked.` : `Key ${id} was already revoked.`,
      ]);
    });

  return keys;
}

/** The shell command that creates a key for an account. */
export function createKeyCommand({ l4desk }: ShellCommands, kind: CredentialKind, account: string): string {
  const word = /^[\w.@-]+$/.test(account) ? account : `'${account}'`;
  return `${l4desk} keys create --kind ${kind} --account ${word}`;
}

/** Maximum number of accounts listed in the error if one must be chosen; `accounts list` shows all. */
const NAMED_MAX = 10;

/** The account that a key is created for if none is given. */
async function onlyAccount(store: Store, kind: CredentialKind, commands: ShellCommands): Promise<Account> {
  const accounts = await store.listAccounts();
  const [first] = accounts;
  if (first === undefined)
    throw new CliFailure(`No accounts yet. Create one: ${commands.l4desk} accounts create <name>`, EXIT.usage);
  if (accounts.length > 1) {
    const more = accounts.length - NAMED_MAX;
    const names = accounts.slice(0, NAMED_MAX).map(({ name }) => `  ${name}`);
    throw new CliFailure(
      [
        `There are ${accounts.length} accounts. Choose one with --account:`,
        ...names,
        ...(more > 0 ? [`  and ${more} more, shown by accounts list`] : []),
        `For example: ${createKeyCommand(commands, kind, first.name)}`,
      ].join('\n'),
      EXIT.usage,
    );
  }
  return first;
}

function keyJson(key: Credential) {
  return {
    id: key.id,
    kind: key.kind,
    account: key.accountName,
    label: key.label,
    shown: shownKey(key),
    createdAt: timestamp(key.createdAt),
    revokedAt: key.revokedAt === null ? null : timestamp(key.revokedAt),
  };
}

/** Users may paste a key instead of its id; do not repeat it on the terminal. */
function shortened(id: string): string {
  return id.length <= 24 ? id : `${id.slice(0, 4)}…`;
}
