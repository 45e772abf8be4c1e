interface Named {
  id: string;
  firstName: string | null;
  lastName: string | null;
  username: string | null;
}

/** What a shopper is called: their name, else @username, else the messenger's id. */
export function customerName({ id, firstName, lastName, username }: Named): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name || (username ? `@${username}` : id);
}
