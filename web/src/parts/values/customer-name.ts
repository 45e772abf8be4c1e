interface Named {
  id: string;
  firstName: string | null;
  lastName: string | null;
  username: string | null;
}

/** The name to show for a shopper: first and last name, or else @username, or else the messenger's id. */
export function customerName({ id, firstName, lastName, username }: Named): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name || (username ? `@${username}` : id);
}
