import { ServiceError } from '@l4desk/client';
import { Link, useLocation } from '@tanstack/react-router';
import { Fragment } from 'react';
import { commandLine } from '../../api/command-line.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Why the session cannot read the usage: it has no ServiceKey, or its key is refused. */
export type Refusal = 'missing' | 'revoked' | 'wrong kind';

/** The refusal behind an error of the usage endpoint that another key can fix (USE-3, D10); undefined for any other error. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  if (error.status === 401) return 'revoked';
  return error.code === 'wrong_credential' ? 'wrong kind' : undefined;
}

const WHY = {
  missing: {
    title: 'This session has no ServiceKey',
    text: 'You signed in with an API key only. Usage covers the whole account, and an API key cannot read it.',
  },
  revoked: {
    title: 'This session’s ServiceKey was refused (401)',
    text: 'It was revoked, or the session has ended. The rest of the session is not affected.',
  },
  'wrong kind': {
    title: 'This session has the wrong kind of credential (403)',
    text: 'Usage covers the whole account and requires a ServiceKey. An API key cannot read it.',
  },
} as const;

interface MissingServiceKeyProps {
  readonly why: Refusal;
  readonly account: string;
  readonly demo: boolean;
}

/** What is missing, and how to get it: one step in a terminal and one here. */
export function MissingServiceKey({ why, account, demo }: MissingServiceKeyProps) {
  const here = useLocation({ select: ({ href }) => href });
  const owner = /^[\w.@-]+$/.test(account) ? account : `'${account.replaceAll("'", String.raw`'\''`)}'`;
  const parts = [commandLine(), 'keys create', '--kind service', `--account ${owner}`, '--label usage'];
  const command = parts.join(' ');
  const { title, text } = WHY[why];
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <article className="mx-auto flex max-w-xl flex-col gap-3 p-4 pt-[10vh]" data-part="service-key">
        <h2 className="text-15 font-semibold text-strong">{title}</h2>
        <p>{text}</p>
        <ol className="flex list-decimal flex-col gap-3 pl-5 marker:text-dim">
          <li>
            <p>On the service’s machine, create a ServiceKey for your account. It is shown once.</p>
            <div className="mt-1 flex items-start gap-1">
              <code className="num min-w-0 rounded-4 border border-line bg-surface-1 px-2 py-1 text-12 break-words">
                {/* Lines break between the parts, never inside “--label”. */}
                {parts.map((part) => (
                  <Fragment key={part}>
                    <span className="inline-block max-w-full">{part}</span>{' '}
                  </Fragment>
                ))}
              </code>
              <CopyButton what="command" text={() => command} />
            </div>
          </li>
          <li>
            <p>
              Sign in again with both keys: the API key for the book and the queries, the ServiceKey for this page. The
              new session replaces this one and returns you here.
            </p>
            <Link
              to="/sign-in"
              search={{ next: here }}
              state={{ otherKeys: true }}
              className="mt-1 inline-flex h-(--control) items-center rounded-4 bg-accent px-2 font-medium text-on-accent hover:brightness-110"
            >
              Sign in with both keys
            </Link>
          </li>
        </ol>
        {demo && (
          <p className="text-dim">
            This is the demo, with simulated data. The link that the service prints on startup signs you in with both
            keys.
          </p>
        )}
      </article>
    </div>
  );
}
