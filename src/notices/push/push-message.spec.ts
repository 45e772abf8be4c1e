import { areUsable, encrypt, newKeyPair } from './push-message.js';

const TARGET = {
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

describe('a push message', () => {
  it('is that of the example of RFC 8291', () => {
    const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
    const sender = {
      publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
      privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    };
    const body = encrypt('When I grow up, I want to be a watermelon', TARGET, salt, sender);
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w' +
        'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    );
  });

  it('needs a point of the curve and 16 bytes', () => {
    expect(areUsable(TARGET)).toBe(true);
    expect(areUsable({ ...TARGET, p256dh: `${TARGET.p256dh.slice(0, -4)}AAAA` })).toBe(false);
    expect(areUsable({ ...TARGET, p256dh: 'AAAA' })).toBe(false);
    expect(areUsable({ ...TARGET, auth: 'BTBZMqHH6r4Tts7J' })).toBe(false);
    expect(newKeyPair().privateKey).toHaveLength(43);
  });
});
