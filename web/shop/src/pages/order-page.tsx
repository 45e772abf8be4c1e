import { useEffect, useState } from 'preact/hooks';
import { get, type Order, type Refusal, send } from '../api';
import { Sum } from '../checkout/sum';
import { launch, on, openInvoice, openLink, post } from '../client';
import { Failure, said } from '../failure';
import { minor } from '../money';
import { asRefusal, useLoaded } from '../state';
import { Row } from '../parts';
import { BackAction, MainAction } from '../ui';
import { words } from '../words';
import { dayOf } from './orders';

const ASK_AGAIN_MS = 1_500;
/** How often the order is asked after a payment: the messenger tells the shop of it a little later. */
const TIMES = 20;

export function OrderPage({ id }: { id: string }) {
  const { data, refusal, again } = useLoaded(`orders/${id}`, () => get<Order>(`orders/${id}`));
  const isPaying = useAfterPayment(data, again);
  useEffect(askToWrite, []);
  if (refusal && !data) return <Failure refusal={refusal} again={again} />;
  return (
    <>
      <BackAction />
      {data && <Shown order={data} isPaying={isPaying} again={again} />}
    </>
  );
}

/**
 * What the client says of an invoice is a hint: some say "cancelled" after "paid", some nothing. So the order
 * is asked, also when the shopper comes back to the page.
 */
function useAfterPayment(order: Order | undefined, again: () => void): boolean {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const ask = () => again();
    const stop = on('invoice_closed', ({ status }) => {
      if (status === 'paid' || status === 'pending') setLeft(TIMES);
      again();
    });
    addEventListener('visibilitychange', ask);
    return () => {
      stop();
      removeEventListener('visibilitychange', ask);
    };
  }, []);
  const isWaiting = left > 0 && order?.awaitsPayment === true;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => {
      setLeft(left - 1);
      again();
    }, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, left]);
  return isWaiting;
}

/** A shopper who opened the shop by a link may never have started the bot, which then may not write. */
function askToWrite(): void {
  if (launch.user.allows_write_to_pm !== true && !launch.isDemo) post('web_app_request_write_access');
}

function Shown({ order, isPaying, again }: { order: Order; isPaying: boolean; again: () => void }) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const pay = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const { invoiceUrl } = await send<{ invoiceUrl: string }>(`orders/${order.id}/invoice`);
      openInvoice(invoiceUrl);
    } catch (error) {
      setRefusal(asRefusal(error));
      again();
    }
    setBusy(false);
  };
  const refunded = order.pricing.refunds.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  return (
    <>
      <main>
        <h1>{words.order(order.id)}</h1>
        <p class="status" role="status">
          {order.status === 'PENDING' || order.status === 'PROCESSING' ? `${words.thanks} ` : ''}
          <b>{words.status[order.status]}</b> · {dayOf(order.createdAt)}
          {order.awaitsPayment && <span class="wrong"> {isPaying ? words.paying : words.notPaid}</span>}
        </p>
        {order.trackingNumber && (
          <section class="rows">
            <Row title={order.carrier ?? ''} after={order.trackingNumber} />
          </section>
        )}
        {order.trackingUrl && (
          <button type="button" class="plain" onClick={() => openLink(order.trackingUrl!)}>
            {words.track}
          </button>
        )}
        <Sum of={order.pricing} />
        {refunded > 0 && (
          <section class="rows">
            <Row title={words.refunded} after={minor(refunded)} />
          </section>
        )}
        {order.status === 'PROCESSING' && <p class="hint">{words.mayWrite}</p>}
        {refusal && (
          <p class="problem" role="alert">
            {said(refusal)}
          </p>
        )}
      </main>
      {order.awaitsPayment && !isPaying && (
        <MainAction text={words.pay(minor(order.totalPrice))} isBusy={isBusy} onPress={() => void pay()} />
      )}
    </>
  );
}
