import { useQuery } from '@tanstack/react-query';
import { type Provider, providerUrl, signInWays, type SignInWays } from '../../api/auth';

const BY_PASSWORD: SignInWays = { providers: [], password: true };

/** Until the service has said it, and where it does not, there is the password. */
export function useSignInWays(): SignInWays {
  const { data } = useQuery({ queryKey: ['sign-in-ways'], queryFn: signInWays });
  return data ?? BY_PASSWORD;
}

interface ProvidersProps {
  readonly providers: readonly Provider[];
  /** The page that they lead to in the end. */
  readonly next: string | undefined;
}

/** Links, since a provider is another site: the browser goes there and comes back. */
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
