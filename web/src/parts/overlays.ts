/** What is drawn over a page by parts that every page has. A file of its own, so that it can be fetched later. */
export { Tooltip } from '@mantine/core';
export { Notifications } from '@mantine/notifications';
