import { render } from 'preact';
import { App } from './app';
import { restoreCart } from './cart';
import { begin } from './client';
import { loadWords } from './words';
import './shop.css';
import './pages.css';

begin();
void restoreCart();
const element = document.getElementById('root')!;
void loadWords().then(() => {
  element.replaceChildren();
  render(<App />, element);
});
