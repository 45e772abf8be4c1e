import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { verify } from '@node-rs/argon2';
import { checkPassword, decoyHash, hashPassword, newPassword } from './password.js';

const EMAIL = 'olena.shop@nordwind.example';

/** docs/behaviour.md §12 */
describe('a password that somebody chooses', () => {
  const check = (password: string) => checkPassword(password, EMAIL, 'newPassword');

  it.each([
    'correct horse',
    'staple of all orchards',
    'синій чайник біля вікна',
    'Кавун росте на горищі',
    'correct horse battery',
    'another horse battery',
    'teapot 4829 1177 0923',
    'Tr0ub4dor&3-and-more',
    newPassword(),
    `${'x'.repeat(2)} teapot under the old oak ${'y'.repeat(900)}`,
  ])('may be %.40s', async (password) => {
    await expect(check(password)).resolves.toBeUndefined();
  });

  it.each(['', 'correct hor', 'x'.repeat(1_001)])('has 12 to 1000 characters (%#)', async (password) => {
    await expect(check(password)).rejects.toThrow('newPassword must be a string of 12 to 1000 characters');
  });

  it.each([
    'aaaaaaaaaaaa',
    'a'.repeat(1_000),
    'password1234',
    'P@ssw0rd1234',
    'Passw0rd2024!',
    '123456789012',
    'qwertyuiop[]',
    'iloveyou2024',
    'letmeinletmein',
    'abcabcabcabc',
    EMAIL,
    EMAIL.toUpperCase(),
    'nordwind1234',
    'пароль123456',
    'Пароль2026!!',
    'йцукенгшщзхї',
    'дракон2026!!',
    'Summer2026!!',
    'dragon2024!!',
    'Dr4gon2024!!',
    'Admin123456!',
    'chatshop2026',
    'ChatShop2026!!',
    'football2026!!',
  ])('is not easy to guess: %.40s', async (password) => {
    await expect(check(password)).rejects.toThrow('newPassword is too easy to guess');
  });
});

describe('the hash of a password', () => {
  const SOURCES = path.resolve(__dirname, '../..');

  it('costs 19 MiB and two passes in a process of the service', () => {
    const built = path.resolve(SOURCES, '../dist/src/people/accounts/password.js');
    const program = `const { hashPassword } = await import(${JSON.stringify(built)});
      console.log(await hashPassword('correct horse battery'));`;
    const args = ['--input-type=module', '--eval', program];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    );
  });

  it('has a decoy that costs the same to verify, and that no password has', async () => {
    const formOf = (hash: string) => hash.replace(/\$[\w+/]+\$[\w+/]+$/, (ends) => `, ${ends.length} more`);
    expect(formOf(decoyHash())).toBe(formOf(await hashPassword('correct horse battery')));
    expect(decoyHash()).not.toBe(decoyHash());
    expect(await verify(decoyHash(), 'correct horse battery')).toBe(false);
  });

  it('is made in one place', () => {
    const makers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.spec)\.ts$/.test(name))
      .filter((name) =>
        /import \{[^}]*\bhash\b[^}]*\} from '@node-rs\/argon2'/.test(
          readFileSync(path.join(SOURCES, name), 'utf8'),
        ),
      );
    expect(makers).toEqual(['people/accounts/password.ts']);
  });
});
