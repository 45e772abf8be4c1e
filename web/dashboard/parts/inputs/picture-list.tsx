import './inputs.css';
import { TextInput } from '@mantine/core';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useIsPhone } from '../../phone';
import { words } from '../../words/all';
import { CameraIcon } from '../icons';
import { PictureTile, useDropHint } from './tiles';
import { RowEditor } from './row-editor';
import { UploadButton, UploadStatus, useUpload } from './upload';

interface Props {
  label: string;
  addLabel: string;
  required?: boolean;
  error?: string;
  value: string[];
  onChange: (urls: string[]) => void;
}

/**
 * Pictures as tiles, in order: the first is the main picture. They are chosen on the device, taken with its
 * camera, dropped on the list, or pasted, or their addresses are typed.
 */
export function PictureList({ label, addLabel, required, error, value, onChange }: Props) {
  const rows = value.map((url) => ({ url }));
  const [failed, setFailed] = useState<string | null>(null);
  const add = (urls: string[]) => onChange([...value.filter((url) => url !== ''), ...urls]);
  const upload = useUpload(add, setFailed);
  const drop = useDroppedPictures((files) => void upload.send(files));
  const isPhone = useIsPhone();
  return (
    <div {...drop}>
      <RowEditor
        ordered
        title={label}
        required={required}
        hint={useDropHint()}
        error={failed ?? error}
        addLabel={addLabel}
        rows={rows}
        nameOf={(_, i) => `${label} ${i + 1}`}
        make={() => ({ url: '' })}
        onChange={(changed) => onChange(changed.map(({ url }) => url))}
        isTiled
        render={(row, replace, i) => (
          <>
            <PictureTile url={row.url} isMain={i === 0} />
            <TextInput
              type="url"
              size="xs"
              placeholder="https://"
              aria-label={`${label} ${i + 1}`}
              value={row.url}
              onChange={({ currentTarget }) => replace({ url: currentTarget.value })}
            />
          </>
        )}
      >
        <UploadButton multiple upload={upload} label={words.pictures.uploadSome} />
        {isPhone && (
          <UploadButton
            isCamera
            upload={upload}
            label={words.pictures.takePhoto}
            icon={<CameraIcon size={16} />}
          />
        )}
      </RowEditor>
      <UploadStatus upload={upload} />
    </div>
  );
}

const picturesOf = (data: DataTransfer | null) =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** For an element on which pictures may be dropped. What is pasted on the page goes to it too. */
function useDroppedPictures(send: (files: File[]) => void) {
  const box = useRef<HTMLDivElement>(null);
  const [isOver, setOver] = useState(false);
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = picturesOf(event.clipboardData);
      const dialog = document.querySelector('[role=dialog]');
      // A spreadsheet copies its cells as text and as a picture of them.
      const isText = event.clipboardData?.types.includes('text/plain');
      if (files.length === 0 || isText || (dialog && !dialog.contains(box.current))) return;
      event.preventDefault();
      latest.current(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
  return {
    ref: box,
    className: isOver ? 'drop drop-over' : 'drop',
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) =>
      setOver(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const files = picturesOf(event.dataTransfer);
      if (files.length > 0) send(files);
    },
  };
}
