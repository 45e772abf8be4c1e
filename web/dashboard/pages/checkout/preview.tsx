import './checkout.css';
import { later } from '../../parts/lazy-component';
import { LoadingBlock, Section } from '../../parts/states';
import { words } from '../../words/all';
import type { Field } from './checkout';

const ShopForm = later(
  () => import('./shop-form').then((file) => file.ShopForm),
  () => <LoadingBlock />,
);

/** The form as shoppers get it: the shop's own component, with the service's rules. */
export const Preview = ({ fields }: { fields: Field[] }) => (
  <div className="in-sight">
    <Section title={words.checkout.preview} hint={words.checkout.previewHint}>
      <ShopForm fields={fields} />
    </Section>
  </div>
);
