import './inputs.css';
import { Box, Input, Stack, Text } from '@mantine/core';
import { smallPicture } from '../../../../src/stores/pictures/small-pictures.js';
import { words } from '../../words/all';
import { useIsPhone } from '../../phone';
import { Badge } from '../values/values';

/** Whether the address is one that a browser can show. */
export const isPicture = (address: string) => /^(https?:|data:image)/.test(address);

interface TitleProps {
  title: string;
  hint?: string;
  /** Whether the list needs a row. */
  required?: boolean;
}

/** The title of a list inside a form. */
export const ListTitle = ({ title, hint, required }: TitleProps) => (
  <div>
    <Input.Label labelElement="div" required={required} fw={600} size="sm">
      {title}
    </Input.Label>
    {hint && (
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    )}
  </div>
);

export const PictureTile = ({ url, isMain }: { url: string; isMain: boolean }) => (
  <div className="tile-picture">
    {isPicture(url) && <img src={smallPicture(url, 640)} alt="" />}
    {isMain && <Badge tone="blue">{words.pictures.main}</Badge>}
  </div>
);

/** What stands below the title of pictures (picture-list.tsx): a finger drops none. */
export const useDropHint = () => (useIsPhone() ? undefined : words.pictures.dropHint);

/** Pictures where their form will have them, until its code is there. */
export const PicturesOnly = ({ title, urls }: { title: string; urls: string[] }) => (
  <Stack gap="xs">
    <ListTitle title={title} hint={useDropHint()} />
    <div className="rows tiles">
      {urls.map((url, i) => (
        <Box key={i} className="surface" p={4}>
          <PictureTile url={url} isMain={i === 0} />
        </Box>
      ))}
    </div>
  </Stack>
);
