import { phoneDigits, typedPhone } from './phones.js';

/** Each number once with its country, then as its people write it. */
const NUMBERS: Record<string, string[]> = {
  Germany: [
    ...['+491729876541', '0172 9876541', '0172/9876541', '+49 (0)172 9876541', '0049 172 9876541'],
    ...[
      '(0172) 987-65-41',
      '0172 – 98 76 541',
      '+49-172-9876541 ext. 4',
      'tel:+491729876541',
      '０１７２ ９８７６５４１',
    ],
  ],
  'Germany, with an extension': [
    '+493087654321',
    '030/87654-321',
    '+49(0)30-87654321',
    '030 87654321 Durchwahl 12',
  ],
  Ukraine: [
    ...[
      '+380679876542',
      '067 987 65 42',
      '0679876542',
      '+38 067 987-65-42',
      '+38(067)9876542',
      '380679876542',
    ],
    ...['8 067 987 65 42', '00380 67 9876542'],
  ],
  Russia: [
    '+79169876543',
    '8 916 987-65-43',
    '8(916)9876543',
    '9169876543',
    '8 (916) 987 65 43 доб. 12',
    '007 916 9876543',
  ],
  Belarus: ['+375299876544', '8 029 987-65-44', '80299876544', '(029) 987-65-44'],
  Britain: [
    '+442079460551',
    '020 7946 0551',
    '+44 (0)20 7946 0551',
    '0044 20 7946 0551',
    '020 7946 0551 x123',
  ],
  France: ['+33698765452', '06 98 76 54 52', '06.98.76.54.52', '0033 6 98765452', '+33 (0)6 98 76 54 52'],
  Italy: ['+390698765453', '06 9876 5453', '+39 06 98765453', '06/98765453'],
  Spain: ['+34698765454', '698 76 54 54', '0034 698 76 54 54', '(+34) 698765454'],
  'United States': ['+12025550155', '(202) 555-0155', '1-202-555-0155', '011 1 202 555 0155', '202.555.0155'],
  Brazil: [
    '+5511998765456',
    '(11) 99876-5456',
    '011 99876-5456',
    '0 15 11 99876-5456',
    '+55 (11) 99876.5456',
  ],
  Argentina: ['+5491198765457', '011 15 9876-5457', '11 9876-5457', '(011) 15 98765457'],
  Mexico: ['+525598765458', '01 55 9876 5458', '044 55 9876 5458', '+52 1 55 9876 5458'],
  Israel: ['+972509876559', '050-987-6559', '00972509876559'],
  Turkey: ['+905329876560', '0532 987 65 60', '0(532) 987 65 60', '90 532 9876560'],
  Lithuania: ['+37069876561', '8 698 76561', '(8-698) 76561', '0 698 76561'],
  Hungary: ['+36209876562', '06 20 987 6562', '06-20-987-6562', '(06 20) 9876562'],
  Norway: ['+4740698763', '406 98 763', '0047 40 69 87 63'],
  Iceland: ['+3546987664', '698 7664', '00354 6987664'],
  Emirates: ['+971509876565', '050 987 6565', '٠٥٠ ٩٨٧ ٦٥٦٥', '\u202a+971 50 987 6565\u202c'],
  India: ['+919898765466', '098987 65466', '९८९८७ ६५४६६', '0091 98987 65466'],
  China: ['+8613898765467', '138 9876 5467', '１３８－９８７６－５４６７', '0086 13898765467'],
  'China, with an extension': ['+862198765468', '021-98765468 分机 12', '(021) 9876 5468'],
  Japan: ['+819098765469', '090-9876-5469', '０９０（９８７６）５４６９', '81 9098765469'],
  Singapore: ['+6598765470', '9876 5470', '65 9876-5470'],
};

function finds(typed: string, stored: string): boolean {
  const asked = typedPhone(typed);
  return (
    asked !== null &&
    phoneDigits(stored).some((digits) => digits.startsWith(asked.end) || digits === asked.local)
  );
}

describe('phone numbers', () => {
  it.each(Object.entries(NUMBERS))('of %s are found in all forms by all forms', (_, forms) => {
    const missed = forms.flatMap((typed) =>
      forms.flatMap((stored) => (finds(typed, stored) ? [] : [`${typed} does not find ${stored}`])),
    );
    expect(missed).toEqual([]);
  });

  it('are found by their last four to seven digits', () => {
    const missed = Object.values(NUMBERS).flatMap(([whole, ...forms]) =>
      [4, 5, 6, 7].flatMap((size) =>
        forms.filter((stored) => !finds(whole.slice(-size), stored)).map((stored) => [stored, size]),
      ),
    );
    expect(missed).toEqual([]);
  });

  it('are not found by other numbers', () => {
    const all = Object.values(NUMBERS);
    const met = all.flatMap((forms, i) =>
      all.flatMap((others, j) =>
        i === j
          ? []
          : forms.flatMap((typed) =>
              others.filter((stored) => finds(typed, stored)).map((stored) => [typed, stored]),
            ),
      ),
    );
    expect(met).toEqual([]);
  });

  it('meet few strangers of one country', () => {
    // Mobile numbers of a country differ in nine digits; only those whose last eight are equal meet.
    let seed = 1;
    const digit = () => (seed = (seed * 48_271) % 2_147_483_647) % 10;
    const numbers = new Set<string>();
    while (numbers.size < 100_000) numbers.add(`+4917${Array.from({ length: 8 }, digit).join('')}`);
    const sharing = new Map<string, number>();
    const ends = [...numbers].map((number) => typedPhone(number)!.end);
    for (const end of ends) sharing.set(end, (sharing.get(end) ?? 0) + 1);
    const met = ends.filter((end) => sharing.get(end)! > 1).length;
    expect(met / numbers.size).toBeLessThanOrEqual(0.0014);
  });

  it.each([
    ['a slash', '0172 9876541 / 030 98765432', ['1456789271', '2345678903']],
    ['a text', 'Call 067-987-65-42 after five', ['245678976']],
    ['no number', 'House 5', []],
  ])('are read from a field with %s', (_, text, digits) => expect(phoneDigits(text)).toEqual(digits));

  it.each(['abc', '12', '12a4567', '', '+', '123456789012345678901234'])('are not what %p is', (text) =>
    expect(typedPhone(text)).toBeNull(),
  );

  it('keep the zeros with which an end begins', () => expect(typedPhone('0067')!.end).toBe('7600'));
});
