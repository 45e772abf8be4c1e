import { textOn } from './store-profile.js';

describe('the text on a colour', () => {
  it.each([
    ['#000000', '#ffffff'],
    ['#ffffff', '#000000'],
    ['#ffd500', '#000000'],
    ['#1a7f5a', '#ffffff'],
    // The two greys between which the contrast to black and to white changes sides.
    ['#757575', '#ffffff'],
    ['#767676', '#000000'],
  ])('on %s is %s', (colour, text) => {
    expect(textOn(colour)).toBe(text);
  });
});
