interface PictureColumn {
  table: string;
  column: string;
  type: 'text' | 'text[]';
}

/** The columns that hold the addresses of pictures, or texts in which people may write one. */
export const PICTURE_COLUMNS: readonly PictureColumn[] = [
  { table: 'products', column: 'images', type: 'text[]' },
  { table: 'products', column: 'description', type: 'text' },
  { table: 'brands', column: 'logo_url', type: 'text' },
  { table: 'categories', column: 'image_url', type: 'text' },
  { table: 'campaigns', column: 'image_url', type: 'text' },
  { table: 'store_settings', column: 'logo_url', type: 'text' },
  { table: 'store_settings', column: 'dark_logo_url', type: 'text' },
  { table: 'bot_messages', column: 'image_url', type: 'text' },
];

/** Where the pictures of a store are read, below BASE_URL. */
export const picturesPath = (storeId: string) => `/pictures/${storeId}/`;
