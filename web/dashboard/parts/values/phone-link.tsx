import { Anchor } from '@mantine/core';

/** A number that is called by a touch; also in a row of a list that is a link itself. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <Anchor
    href={`tel:${phone.replace(/[^\d+]/g, '')}`}
    className="above numeric"
    size="sm"
    underline="always"
    display="inline-block"
    py={4}
    onClick={(event) => event.stopPropagation()}
  >
    {phone}
  </Anchor>
);
