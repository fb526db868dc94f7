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
        , which this page does not recognize. It uses the default instead.
      </p>
    </Notice>
  );
}
