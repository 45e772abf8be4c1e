import { axe, expect, open, run, test } from '../support.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const file = (name: string, buffer = PNG, mimeType = 'image/png') => ({ name, mimeType, buffer });

test('a picture gets smaller ones, which lists load; a large one from elsewhere is heavy', async ({
  page,
}) => {
  await open(page, 'products/new');
  const drawn = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1600, 1200];
    const pen = canvas.getContext('2d');
    for (let x = 0; x < 1600; x += 8) {
      pen.fillStyle = 'hsl(' + (x % 360) + ' 80% 50%)';
      pen.fillRect(x, 0, 8, 1200);
    }
    return canvas.toDataURL('image/jpeg', 0.9);
  })()`);
  const photo = Buffer.from(drawn.split(',')[1], 'base64');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload pictures', exact: true }).click();
  await (await chooser).setFiles([file('photo.jpg', photo, 'image/jpeg')]);
  const address = page.getByLabel('Pictures 1', { exact: true });
  await expect(address).toHaveValue(/\/[0-9a-f-]{36}\/original\.jpg$/);
  const original = await address.inputValue();
  const widths: number[] = [];
  for (const name of ['320', '640']) {
    const small = await page.request.get(original.replace('original.jpg', name));
    expect(small.headers()['content-type']).toBe('image/webp');
    const body = await small.body();
    expect(body.length).toBeLessThan(photo.length);
    widths.push(
      await page.evaluate<number>(
        `(async () => {
          const image = new Image();
          image.src = 'data:image/webp;base64,${body.toString('base64')}';
          await image.decode();
          return image.naturalWidth;
        })()`,
      ),
    );
  }
  expect(widths).toEqual([320, 640]);
  const title = `Pictured ${Date.now()}`;
  const product = { title, description: '', price: 5 };
  await run(page.request, 'create_product', { ...product, productId: `${title} small`, images: [original] });
  const heavy = { ...product, productId: `${title} heavy`, images: [`${original}?whole`] };
  await run(page.request, 'create_product', heavy);
  await open(page, `products?text=${encodeURIComponent(title)}`);
  await expect(page.getByText('Heavy picture')).toHaveCount(1);
  await expect(page.getByRole('row', { name: /heavy/ })).toContainText('Heavy picture');
  expect(await axe(page)).toEqual([]);
});

test('pictures from the device are uploaded, shown and saved; other files are refused', async ({ page }) => {
  const name = `Pictured ${Date.now()}`;
  const choose = async (button: string, ...files: ReturnType<typeof file>[]) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button, exact: true }).click();
    await (await chooser).setFiles(files);
  };
  await open(page, 'brands?new=1');
  await page.getByLabel(/^Name \*?$/).fill(name);
  await choose('Upload: Logo (address)', file('empty.png', Buffer.from('not a picture')));
  await expect(page.getByText('Only pictures of the kinds PNG, JPEG, WebP and GIF')).toBeVisible();
  await choose('Upload: Logo (address)', file('notes.heic', Buffer.from('not a picture'), 'image/heic'));
  await expect(page.getByText('notes.heic is not a picture that this browser can read.')).toBeVisible();
  await choose('Upload: Logo (address)', file('logo.png'));
  const logo = page.getByRole('textbox', { name: 'Logo (address)' });
  await expect(logo).toHaveValue(/\/pictures\/[0-9a-f-]+\/[0-9a-f-]+\.png$/);
  await expect(page.getByText('is not a picture')).toHaveCount(0);
  expect(await axe(page)).toEqual([]);
  const logoUrl = await logo.inputValue();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  const { items } = await run<{ items: { name: string; logoUrl: string }[] }>(
    page.request,
    'list_brands',
    {},
  );
  expect(items.find((brand) => brand.name === name)).toMatchObject({ logoUrl });

  await open(page, 'products/new');
  // Larger than the service takes: made smaller on the way, of the same type.
  const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
  await choose('Upload pictures', file('one.png'), file('photo.png', large));
  await expect(page.getByLabel('Pictures 1', { exact: true })).toHaveValue(/\.png$/);
  await expect(page.getByLabel('Pictures 2', { exact: true })).toHaveValue(/\.png$/);
  await expect
    .poll(() =>
      page.evaluate(`[...document.querySelectorAll('form img')].map(({ naturalWidth }) => naturalWidth)`),
    )
    .toEqual([1, 1]);
});
