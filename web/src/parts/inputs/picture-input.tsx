import { Box, Button, FileButton, Group, Image, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { ask } from '../../api/client';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { inWords } from '../../api/in-words';
import { UploadIcon } from '../icons';
import { acceptablePicture, PICTURE_TYPES } from './picture';

interface UploadProps {
  /** The purpose of the button, for screen readers. */
  label: string;
  /** Whether several pictures can be selected at once. */
  multiple?: boolean;
  onUploaded: (urls: string[]) => void;
  /** Gets the error message, or null when an upload begins. */
  onError: (text: string | null) => void;
}

/** Uploads pictures from the person's device. */
export function UploadButton({ label, multiple = false, onUploaded, onError }: UploadProps) {
  const reset = useRef<() => void>(null);
  const { send, isBusy } = useUpload(onUploaded, onError);
  const choose = (chosen: File | File[] | null) => {
    const files = [chosen ?? []].flat();
    if (files.length > 0) void send(files).then(() => reset.current?.());
  };
  return (
    <FileButton accept={PICTURE_TYPES.join(',')} multiple={multiple} resetRef={reset} onChange={choose}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          size={multiple ? 'sm' : 'compact-sm'}
          leftSection={<UploadIcon size={16} />}
          loading={isBusy}
          aria-label={label}
        >
          {multiple ? words.pictures.uploadSome : words.pictures.upload}
        </Button>
      )}
    </FileButton>
  );
}

function useUpload(onUploaded: UploadProps['onUploaded'], onError: UploadProps['onError']) {
  const { id } = useStore();
  const [isBusy, setBusy] = useState(false);
  // An upload takes a while, during which other fields may change. Its result must go to the current state of
  // the form.
  const latest = useRef(onUploaded);
  latest.current = onUploaded;
  const send = async (files: File[]) => {
    setBusy(true);
    onError(null);
    const urls: string[] = [];
    try {
      for (const file of files) {
        const picture = await acceptablePicture(file);
        if (!picture) throw new Error(words.pictures.unreadable(file.name));
        const conditions = { file: picture, idempotencyKey: crypto.randomUUID() };
        const { url } = await ask(id, 'POST stores/{storeId}/uploads', {}, conditions);
        urls.push(url);
      }
    } catch (error) {
      onError(inWords(error as Error));
    } finally {
      setBusy(false);
      if (urls.length > 0) latest.current(urls);
    }
  };
  return { send, isBusy };
}

interface Props {
  label: string;
  /** Hides the label visually if another label is shown above. */
  isLabelHidden?: boolean;
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
export function PictureInput({ label, isLabelHidden, value, error, background, onChange, ...rest }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <Stack gap={6}>
      <TextInput
        {...rest}
        {...(isLabelHidden ? { 'aria-label': label } : { label })}
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
            label={words.pictures.uploadOf(label)}
            onUploaded={([url]) => onChange(url)}
            onError={setFailed}
          />
        }
      />
      {/^(https?:|data:image)/.test(value) && (
        <Group>
          <Box p={4} style={{ background, borderRadius: 6 }}>
            <Image src={value} alt="" h={56} w="auto" maw={220} fit="contain" />
          </Box>
        </Group>
      )}
    </Stack>
  );
}
