import { Link } from '@tanstack/react-router';
import { Page } from '../components/page';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p>There is no page at this address.</p>
      <p>
        <Link to="/login">Go to sign-in</Link>
      </p>
    </Page>
  );
}
