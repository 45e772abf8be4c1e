import { Parser } from 'htmlparser2';

const MARKUP = /<\/?[a-z][^<>]*>|<!--|&(?:[a-z]+|#\d+|#x[\da-f]+);/i;
/** Elements that begin on a line of their own. */
const BLOCKS = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol table section article header footer blockquote pre hr dl figure'.split(' '),
);
const LINES = new Set('li tr br dt dd'.split(' '));
const UNSEEN = new Set('script style head template title'.split(' '));

/** The text that shoppers see of a description in HTML. Any other text stays as it is. */
export function plainText(text: string): string {
  if (!MARKUP.test(text)) return text;
  const plain = withoutMarkup(text);
  // Some programs write markup as a text of its own: &lt;p&gt;.
  return text.includes('<') || !MARKUP.test(plain) ? plain : withoutMarkup(plain);
}

function withoutMarkup(text: string): string {
  let plain = '';
  let unseen = 0;
  const breakLine = (lines: number) => {
    const text = plain.trimEnd();
    const there = plain.slice(text.length).split('\n').length - 1;
    plain = text === '' ? '' : text + '\n'.repeat(Math.max(there, lines));
  };
  const around = (name: string) => {
    if (BLOCKS.has(name)) breakLine(2);
    else if (LINES.has(name)) breakLine(1);
  };
  const parser = new Parser({
    onopentag(name) {
      if (UNSEEN.has(name)) unseen += 1;
      else if (name === 'br') plain = `${plain.replace(/[ \t]+$/, '')}\n`;
      else around(name);
      if (name === 'li') plain += '• ';
      if (name === 'td' || name === 'th') plain += plain === '' || plain.endsWith('\n') ? '' : ' ';
    },
    ontext(part) {
      if (unseen > 0) return;
      const words = part.replace(/[^\S\u00A0]+/g, ' ');
      plain += plain === '' || /\s$/.test(plain) ? words.replace(/^ /, '') : words;
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen -= 1;
      else if (name !== 'br') around(name);
    },
  });
  parser.end(text);
  return plain
    .replaceAll('\u00A0', ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
