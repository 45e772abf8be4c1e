import { checkPassword, newPassword } from './password.js';

const EMAIL = 'olena.shop@nordwind.example';

/** docs/behaviour.md §12 */
describe('a password that somebody chooses', () => {
  const check = (password: string) => () => checkPassword(password, EMAIL, 'newPassword');

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
  ])('may be %.40s', (password) => {
    expect(check(password)).not.toThrow();
  });

  it.each(['', 'correct hor', 'x'.repeat(1_001)])('has 12 to 1000 characters (%#)', (password) => {
    expect(check(password)).toThrow('newPassword must be a string of 12 to 1000 characters');
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
  ])('is not easy to guess: %.40s', (password) => {
    expect(check(password)).toThrow('newPassword is too easy to guess');
  });
});
