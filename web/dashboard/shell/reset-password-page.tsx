import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useChange } from '../api/change';
import { Form } from '../parts/forms/form';
import { words } from '../words';
import { Door, NewPassword } from './door';

/** What it asks for is kept by the browser alone. */
const FIELDS = { newPassword: undefined };

/**
 * The target of the e-mailed link. Its secret part follows the #, so that it is sent only with the call
 * itself.
 */
export function ResetPasswordPage() {
  const reset = useChange('POST auth/reset-password', { refusals: 'form' });
  const submit = (typed: FormData) =>
    void reset.make({ link: location.hash.slice(1), newPassword: String(typed.get('newPassword')) });
  if (reset.data) {
    return (
      <Door title={words.signIn.resetTitle}>
        <Text role="status">{words.signIn.resetDone}</Text>
        <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />}>{words.signIn.title}</Anchor>
      </Door>
    );
  }
  return (
    <Door title={words.signIn.resetTitle}>
      <Form values={FIELDS} change={reset} isCheckedByBrowser gap="md" onSubmit={submit}>
        {(errorOf) => (
          <>
            <NewPassword name="newPassword" label={words.signIn.newPassword} error={errorOf('newPassword')} />
            <Button type="submit" loading={reset.isPending}>
              {words.signIn.resetSubmit}
            </Button>
          </>
        )}
      </Form>
    </Door>
  );
}
