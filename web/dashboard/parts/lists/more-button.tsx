import { Button, type ButtonProps } from '@mantine/core';
import { words } from '../../words';

/** How far a list has been read, as `usePages` says it. */
export interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface Props extends Pick<ButtonProps, 'mx'> {
  query: Pages;
}

/** Reads the next page of a list; not shown after the last one. */
export const MoreButton = ({ query, ...props }: Props) =>
  query.hasNextPage && (
    <Button
      {...props}
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {words.common.more}
    </Button>
  );
