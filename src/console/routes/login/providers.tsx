import { useQuery } from '@tanstack/react-query';
import { type Provider, providerUrl, signInWays, type SignInWays } from '../../api/auth';

const BY_PASSWORD: SignInWays = { providers: [], password: true };

/** While the providers are being loaded, and if that fails, only the password is offered. */
export function useSignInWays(): SignInWays {
  const { data } = useQuery({
    queryKey: ['sign-in-ways'],
    queryFn: signInWays,
    meta: { isPublic: true },
  });
  return data ?? BY_PASSWORD;
}

interface ProvidersProps {
  readonly providers: readonly Provider[];
  /** The page that follows the sign-in. */
  readonly next: string | undefined;
}

/** These are links: the browser leaves for the provider's site and comes back. */
export function Providers({ providers, next }: ProvidersProps) {
  if (providers.length === 0) return null;
  return (
    <nav aria-label="Other ways to sign in" className="providers">
      <ul>
        {providers.map((provider) => (
          <li key={provider.name}>
            <a className="other-action" href={providerUrl(provider, next)}>
              Sign in with {provider.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
