import { axe, expect, open, run, test } from '../support.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const file = (name: string, buffer = PNG, mimeType = 'image/png') => ({ name, mimeType, buffer });

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
