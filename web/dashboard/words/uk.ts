import type { FirstWords } from './en';
import { general } from './uk/general';
import { menu } from './uk/menu';
import { orders } from './uk/orders';

const uk: FirstWords = { ...general, ...menu, ...orders };

export default uk;
