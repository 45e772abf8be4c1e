import { Box, Group, Image, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../../words/all';
import { isPicture } from './tiles';
import { UploadButton, UploadStatus, useUpload } from './upload';

interface Props {
  label: string;
  description?: string;
  required?: boolean;
  error?: string;
  value: string;
  /** The background behind the picture. */
  background?: string;
  onChange: (url: string) => void;
}

/** In pixels, for the button inside the field: the width of its icon and padding, and of one letter. */
const UPLOAD_WIDTH = 64;
const LETTER_WIDTH = 8;

/** An input for a picture's address, typed or from an upload, with the picture below. */
export function PictureInput({ label, value, error, background, onChange, ...rest }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  const upload = useUpload(([url]) => onChange(url), setFailed);
  return (
    <Stack gap={6}>
      <TextInput
        {...rest}
        label={label}
        type="url"
        placeholder="https://"
        value={value}
        error={failed ?? error}
        onChange={({ currentTarget }) => {
          setFailed(null);
          onChange(currentTarget.value);
        }}
        rightSectionWidth={UPLOAD_WIDTH + LETTER_WIDTH * words.pictures.upload.length}
        rightSection={
          <UploadButton
            upload={upload}
            label={words.pictures.uploadOf(label)}
            text={words.pictures.upload}
            size="compact-sm"
          />
        }
      />
      <UploadStatus upload={upload} />
      {isPicture(value) && (
        <Group>
          <Box p={4} style={{ background, borderRadius: 6 }}>
            <Image src={value} alt="" h={56} w="auto" maw={220} fit="contain" />
          </Box>
        </Group>
      )}
    </Stack>
  );
}
