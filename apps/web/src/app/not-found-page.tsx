import { Link } from '@tanstack/react-router';
import { Message } from './message.tsx';

/** Shown for an unknown address. */
export function NotFoundPage() {
  return (
    <Message title="Page not found">
      <p>The URL may be mistyped, or the page may have moved.</p>
      <Link to="/" className="text-accent underline underline-offset-2">
        Go to the overview
      </Link>
    </Message>
  );
}
