import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyBlock } from '../../parts/values/copy';
import { words } from '../../words/all';

const VERIFY = {
  Node: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the raw bytes as they came, before anything parses them.
// signature: the header X-Shop-Signature.
export function isFromShop(secret, body, signature) {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`,
  Python: `import hashlib, hmac

# body: the raw bytes as they came, before anything parses them.
# signature: the header X-Shop-Signature.
def is_from_shop(secret: str, body: bytes, signature: str) -> bool:
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())`,
  PHP: `<?php
// $body: file_get_contents('php://input')
// $signature: $_SERVER['HTTP_X_SHOP_SIGNATURE'] ?? ''
function isFromShop(string $secret, string $body, string $signature): bool {
    return hash_equals(hash_hmac('sha256', $body, $secret), $signature);
}`,
};

/** Code with which a receiver verifies that an event comes from this store. */
export function VerifySnippet() {
  const [language, setLanguage] = useState<keyof typeof VERIFY>('Node');
  return (
    <Stack gap="xs">
      <Text size="sm">{words.webhooks.verifyHint}</Text>
      <SegmentedControl
        aria-label={words.webhooks.verify}
        data={Object.keys(VERIFY)}
        value={language}
        onChange={(value) => setLanguage(value as keyof typeof VERIFY)}
      />
      <CopyBlock text={VERIFY[language]} label={words.webhooks.verify} />
    </Stack>
  );
}

interface Sent {
  id: string;
  event: string;
  body: object;
  url: string | null;
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A command that sends a delivery exactly as the service does. The reader fills in the secret that signs it.
 */
export function curlOf({ id, event, body, url }: Sent): string {
  return `SECRET='whsec_…'
BODY=${quoted(JSON.stringify(body))}
SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl -i ${quoted(url ?? 'https://partner.example/webhooks/shop')} \\
  -H 'Content-Type: application/json' \\
  -H ${quoted(`X-Shop-Event: ${event}`)} \\
  -H ${quoted(`X-Shop-Delivery: ${id}`)} \\
  -H "X-Shop-Signature: $SIGNATURE" \\
  --data-raw "$BODY"`;
}
