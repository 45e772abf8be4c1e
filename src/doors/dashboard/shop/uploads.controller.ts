import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { Example } from '../../../platform/schema/example.js';
import { Uri } from '../../../platform/schema/fields.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { IMAGE_TYPES, MAX_BYTES, Uploads } from './uploads.service.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

@Example({
  url: 'https://pictures.shop.example/0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07/5b6f8c9e-2f0c-4b58-9a53-1d7f0c2f6a11.jpg',
})
export class Upload {
  @Uri({ description: 'Where everybody can see the picture.' }) url: string;
}

const PICTURES = ['bot', 'brands', 'campaigns', 'categories', 'contests', 'products', 'settings'] as const;

/** Uploads of pictures from people's devices. */
@Controller(API_PATH)
export class UploadsController {
  constructor(private readonly uploads: Uploads) {}

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'stores/:storeId/uploads',
    groups: PICTURES,
    summary: 'Upload a picture',
    description:
      'The body is the file: PNG, JPEG, WebP or GIF, at most 5 MiB. Its first bytes say what it is. The ' +
      'address is that of a bucket, where the installation has one; else of this service, which keeps at ' +
      'most 1 GiB of a store, and deletes a picture that nothing has used for 31 days. The same picture in ' +
      'widths of 320 and 640 pixels may follow it in the body; the header Picture-Sizes then says their ' +
      'bytes ("320=14200, 640=51000"). They are read at 320 and 640 beside the address.',
    output: Upload,
    file: { types: IMAGE_TYPES.map(({ type }) => type), maxBytes: MAX_BYTES },
    audited: 'upload.create',
    // No transaction may wait for the file.
    idempotencyKey: undefined,
  })
  async create(ctx: StoreContext): Promise<Upload> {
    return { url: await this.uploads.save(ctx) };
  }
}
