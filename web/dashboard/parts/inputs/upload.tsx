import { Button, FileButton, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { WIDTHS } from '../../../../src/stores/pictures/small-pictures.js';
import { ask } from '../../api/client';
import { inWords } from '../../api/telling/in-words';
import { useStore } from '../../api/store';
import { words } from '../../words/all';
import { UploadIcon } from '../icons';
import { acceptablePicture, smallPicturesOf } from './picture';

interface Upload {
  send: (files: File[]) => Promise<void>;
  isBusy: boolean;
}

/**
 * Uploads pictures, made smaller first.
 * @param onError gets the error message, or null when an upload begins
 */
export function useUpload(
  onUploaded: (urls: string[]) => void,
  onError: (text: string | null) => void,
): Upload {
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
        urls.push(await uploaded(id, picture));
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

/** Sends a picture, with smaller ones behind it for phones. */
async function uploaded(storeId: string, picture: Blob): Promise<string> {
  const small = await smallPicturesOf(picture);
  const conditions = {
    file: new Blob([picture, ...small], { type: picture.type }),
    ...(small.length > 0 && { pictureSizes: small.map(({ size }, i) => `${WIDTHS[i]}=${size}`).join(', ') }),
    idempotencyKey: crypto.randomUUID(),
  };
  const { url } = await ask(storeId, 'POST stores/{storeId}/uploads', {}, conditions);
  return url;
}

/** Says that an upload is under way. A form is not sent meanwhile (form.tsx). */
export function UploadStatus({ upload }: { upload: Upload }) {
  return (
    upload.isBusy && (
      <Text size="sm" role="status" tabIndex={-1} data-unreadable>
        {words.pictures.uploading}
      </Text>
    )
  );
}

interface Props {
  upload: Upload;
  /** The purpose of the button, for screen readers. */
  label: string;
  text?: string;
  icon?: ReactNode;
  size?: 'sm' | 'compact-sm';
  /** Whether several pictures can be selected at once. */
  multiple?: boolean;
  /** Whether a phone opens its camera. */
  isCamera?: boolean;
}

/** A button that lets the person choose pictures on their device, or take one. */
export function UploadButton({ upload, label, text = label, icon, size, multiple = false, isCamera }: Props) {
  const reset = useRef<() => void>(null);
  const choose = (chosen: File | File[] | null) => {
    const files = [chosen ?? []].flat();
    if (files.length > 0) void upload.send(files).then(() => reset.current?.());
  };
  return (
    <FileButton
      accept="image/*"
      capture={isCamera ? 'environment' : undefined}
      multiple={multiple}
      resetRef={reset}
      onChange={choose}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          size={size ?? 'sm'}
          leftSection={icon ?? <UploadIcon size={16} />}
          loading={upload.isBusy}
          aria-label={label}
        >
          {text}
        </Button>
      )}
    </FileButton>
  );
}
