import { useNavigate, useRouter } from '@tanstack/react-router';
import { useSearch } from '../address';
import { queryClient } from '../api/queries';
import { words } from '../words';
import { Door } from './door';
import { SignInForm } from './sign-in-form';

export function SignInPage() {
  const [{ from }] = useSearch();
  const router = useRouter();
  const navigate = useNavigate();
  const onSignedIn = () => {
    queryClient.clear();
    void (from ? router.navigate({ href: from, replace: true }) : navigate({ to: '/', replace: true }));
  };
  return (
    <Door title={words.signIn.title}>
      <SignInForm onSignedIn={onSignedIn} />
    </Door>
  );
}
