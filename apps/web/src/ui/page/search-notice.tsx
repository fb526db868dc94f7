import { Notice } from '../notice.tsx';

interface SearchNoticeProps {
  /** The invalid parameters of the address, as written: `side=C`. */
  readonly invalid: readonly string[];
  readonly onDismiss: () => void;
}

const LIST = new Intl.ListFormat('en-GB');

/** Names the parameters of the address that could not be parsed. */
export function SearchNotice({ invalid, onDismiss }: SearchNoticeProps) {
  if (invalid.length === 0) return null;
  // All wallets would be paid for, so an invalid choice of wallets selects none.
  const isOfWallets = (text: string) => text.startsWith('w=');
  const hasDefaults = !invalid.every(isOfWallets);
  return (
    <Notice onDismiss={onDismiss}>
      <p>
        The URL contains{' '}
        {LIST.formatToParts(invalid).map(({ type, value }) =>
          type === 'literal' ? (
            value
          ) : (
            <span key={value} className="num text-12 break-all">
              {value}
            </span>
          ),
        )}
        , which this page does not recognize.{hasDefaults && ' It uses the default instead.'}
        {invalid.some(isOfWallets) && ' It selects no wallets.'}
      </p>
    </Notice>
  );
}
