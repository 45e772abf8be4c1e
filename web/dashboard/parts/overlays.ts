/** The overlays that parts of every page use, in a separate file so that they can be fetched later. */
export { Tooltip } from '@mantine/core';
export { Notifications } from '@mantine/notifications';
