import { Box, Image, Text } from '@mantine/core';
import { words } from '../../words/all';

interface Props {
  text: string;
  imageUrl?: string | null;
  buttonText?: string | null;
}

/** Shows a message as shoppers will see it in the messenger. */
export function MessageBubble({ text, imageUrl, buttonText }: Props) {
  return (
    <Box
      role="figure"
      aria-label={words.bot.preview}
      w={280}
      p="sm"
      style={{ background: 'var(--blue-bg)', borderRadius: 12 }}
    >
      {imageUrl?.startsWith('http') && (
        <Image src={imageUrl} alt="" radius="md" mb="xs" mah={180} fit="cover" />
      )}
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text || '…'}
      </Text>
      {buttonText && (
        <Box mt="sm" p={6} ta="center" fw={600} style={{ background: 'var(--card)', borderRadius: 8 }}>
          {buttonText}
        </Box>
      )}
    </Box>
  );
}
