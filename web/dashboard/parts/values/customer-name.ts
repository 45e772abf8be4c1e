interface Named {
  id: string;
  firstName: string | null;
  lastName: string | null;
  username: string | null;
}

/** The name to show for a shopper: first and last name, or else @username, or else the messenger's id. */
export function customerName({ id, firstName, lastName, username }: Named): string {
  return shownName({ id, name: [firstName, lastName].filter(Boolean).join(' '), username });
}

/** The same of a shopper whose first and last name are one. */
export const shownName = ({
  id,
  name,
  username,
}: {
  id: string;
  name: string | null;
  username: string | null;
}) => name || (username ? `@${username}` : id);
