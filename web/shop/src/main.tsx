import { render } from 'preact';
import { App } from './app';
import { restoreCart } from './cart';
import { begin, clientAnswers, launch } from './client';
import { keepFieldsInSight } from './keyboard';
import { language, loadWords } from './words';
import './shop.css';
import './pages.css';

clientAnswers.follow(() => void restoreCart());
begin();
keepFieldsInSight();
const element = document.getElementById('root')!;
// Without the file of its words the shop is there in English.
void loadWords(launch.user.language_code || navigator.language)
  .catch(() => undefined)
  .then(() => {
    document.documentElement.lang = language;
    element.replaceChildren();
    render(<App />, element);
  });
