import { Link } from '@tanstack/react-router';
import { Message } from './message.tsx';

/** For an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Message title="There is no such page">
      <p>The address leads nowhere: it was mistyped, or the page has moved.</p>
      <Link to="/" className="text-accent underline underline-offset-2">
        Go to the overview
      </Link>
    </Message>
  );
}
