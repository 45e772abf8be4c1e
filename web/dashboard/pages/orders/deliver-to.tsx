import { Anchor, Group, Text } from '@mantine/core';
import { Section } from '../../parts/states';
import { CopyButton } from '../../parts/values/copy';
import { PhoneLink } from '../../parts/values/phone-link';
import { addressOf, phoneOf } from '../../parts/values/shipping-address';
import { words } from '../../words';
import type { Order } from './order';

const mapOf = (address: string) =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: address })}`;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Who gets the order, and where: as the messenger's payment form collected it, or the shop's own form. */
export function DeliverTo({ order: { shippingAddress, checkoutData } }: { order: Order }) {
  const answerOf = (type: string) => checkoutData?.find((row) => row.type === type)?.value;
  const { name, email } = shippingAddress ?? {};
  const phone = phoneOf({ shippingAddress, checkoutData });
  const mail = [email, answerOf('email')].find(isText);
  const lines = addressOf(shippingAddress);
  const typed = checkoutData?.find(({ id }) => id === 'address')?.value;
  const address = lines.length > 0 ? lines : isText(typed) ? [typed] : [];
  if (![name, phone, mail].some(isText) && address.length === 0) return null;
  const whole = address.join(', ');
  return (
    <Section title={words.orders.deliverTo}>
      <div>
        {isText(name) && (
          <Text size="sm" fw={600} className="as-typed">
            {name}
          </Text>
        )}
        {phone && (
          <Text size="sm" component="div">
            <PhoneLink phone={phone} />
          </Text>
        )}
        {mail && (
          <Anchor href={`mailto:${mail}`} size="sm" underline="always" className="as-typed">
            {mail}
          </Anchor>
        )}
        {address.map((line, i) => (
          <Text key={i} size="sm" className="as-typed">
            {line}
          </Text>
        ))}
      </div>
      {whole && (
        <Group gap="xs">
          <Anchor href={mapOf(whole)} target="_blank" rel="noreferrer" size="sm" underline="always">
            {words.orders.onMap}
          </Anchor>
          <CopyButton text={whole} label={words.orders.copyAddress} />
        </Group>
      )}
    </Section>
  );
}
