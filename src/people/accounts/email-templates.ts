import { type Role, titleOf } from '../../access/rights.js';

/** An e-mail in plain text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Text that others chose, on one line and shortened. */
const oneLine = (text: string, most = 100) =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, most);

const CAUTION =
  'Whoever has the link can accept the invitation, so do not pass it on. ' +
  'If you did not expect it, ignore this message.';

export interface InvitationLetter {
  to: string;
  storeName: string;
  role: Role;
  invitedBy: string;
  link: string;
}

export function invitationLetter({ to, storeName, role, invitedBy, link }: InvitationLetter): Letter {
  const store = oneLine(storeName);
  return {
    to,
    subject: `Invitation to ${store}`,
    text: `${oneLine(invitedBy)} invites you to the store "${store}" as ${titleOf(role)}.

To accept, open this link within 7 days. It works once.

${link}

${CAUTION}
`,
  };
}

/** @param what happened, as a sentence */
export const newsLetter = (to: string, what: string, link: string): Letter => ({
  to,
  subject: 'Who may do what has changed',
  text: `${oneLine(what, 300)}

If you did not expect this, look at the members and tokens on the dashboard, and change your password:

${link}
`,
});

export function resetLetter(to: string, link: string): Letter {
  return {
    to,
    subject: 'Choose a new password',
    text: `Somebody asked for a new password for your account (${to}).

To choose one, open this link within an hour. It works once, and signs you out everywhere.

${link}

If it was not you, ignore this message: your password stays as it is.
`,
  };
}
