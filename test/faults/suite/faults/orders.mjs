// What a delivery says: the order of changes, the secret of the moment, the very bytes.
import { paced } from '../../../support/waiting/paced.mjs';
import { behaviour } from '../receiver.mjs';

/** F18: many writers on one order, whose clock has stepped back: its last change lies an hour ahead. */
async function manyWriters(lab) {
  return lab.stage({ stores: 1, orders: 1 }, async (stage) => {
    const { writer, stores } = stage;
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await lab.query('update orders set updated_at = $1 where id = $2', [ahead, stores[0].orders[0]]);
    const ship = async (n) => {
      const input = { orderId: stores[0].orders[0], trackingNumber: `n ${n}` };
      const { json } = await writer.call('ship_order', input, stores[0]);
      const { id: orderId, updatedAt } = json.data.order;
      writer.acknowledged.push({ orderId, updatedAt });
    };
    const write = async (_, n) => {
      for (let i = 0; i < 20; i++) await ship(n * 20 + i);
    };
    await Promise.all(Array.from({ length: 50 }, write));
    await stage.quiet();
    const times = writer.acknowledged.map(({ updatedAt }) => updatedAt);
    const problems = [
      ...(new Set(times).size < times.length
        ? [`I5: ${times.length - new Set(times).size} ties of updatedAt`]
        : []),
      ...(times.every((time) => time > ahead) ? [] : ['I5: an updatedAt went back with the clock']),
    ];
    return {
      done: '50 writers, 20 changes each, of an order changed an hour ahead',
      ...(await stage.verdict({ problems })),
    };
  });
}

/** F19: the secret is rotated between the first attempt and the second. */
async function rotatedSecret(lab) {
  return lab.stage({ stores: 3, orders: 2 }, async (stage) => {
    const { writer, receiver, stores } = stage;
    const rotate = async (store) => {
      store.secret = `whsec_rotated-${store.id}`;
      await lab.query('update webhook_endpoints set sealed_secret = $2 where store_id = $1', [
        store.id,
        lab.sealed(store),
      ]);
      receiver.expectSecret(store);
    };
    for (const store of stores) {
      receiver.behave(store, async (response) => {
        receiver.behave(store, behaviour.accept);
        await rotate(store);
        response.writeHead(500).end();
      });
      await writer.change({ id: store.orders[0], store, changes: 0 });
    }
    await stage.quiet();
    const problems = receiver.posts.length === 6 ? [] : [`${receiver.posts.length} POSTs, 6 expected`];
    return {
      done: 'rotated while attempt 1 is under way, 3 times',
      ...(await stage.verdict({ problems, schedule: true })),
    };
  });
}

const STRANGE = {
  address:
    '{"zip":"０１２","name":"Zoë \\u0022O\'Neil\\u0022","10":"ten","2":"two","phone_number":"+1",' +
    '"emoji":"🧋‍🟫\\u2028","a":{"z":1,"b":[1.50,1e2]}}',
  rows:
    '[{"value":"\\u0007 <\\/script>","type":"text","label":"Größe","id":"ß"},' +
    '{"id":"n","label":"n","type":"text","value":"9007199254740993"}]',
};

/**
 * F20: what was written as text goes out as that text, key order and all, on both attempts, and get_order
 * says the same.
 */
async function strangeBytes(lab) {
  return lab.stage({ stores: 2, orders: 3 }, async (stage) => {
    const { writer, receiver, stores } = stage;
    const ids = stores.flatMap((store) => store.orders);
    await lab.query('update orders set shipping_address = $1, checkout_data = $2 where id = any($3)', [
      STRANGE.address,
      STRANGE.rows,
      ids,
    ]);
    for (const store of stores) receiver.behave(store, behaviour.refuse(503));
    await writer.make(ids.length, 1);
    await paced(500);
    for (const store of stores) receiver.behave(store, behaviour.accept);
    await stage.quiet();
    const problems = [];
    for (const store of stores) {
      for (const orderId of store.orders) {
        const { text } = await writer.call('get_order', { orderId }, store);
        const bytes = receiver.posts
          .filter((post) => post.orderId === orderId)
          .map(({ body }) => body.toString());
        const data = text.slice('{"ok":true,"data":'.length, -1);
        if (bytes.length !== 2) problems.push(`${bytes.length} POSTs of order ${orderId}, 2 expected`);
        if (bytes.some((body) => !body.endsWith(`"data":${data}}`)))
          problems.push(`I4: order ${orderId} is not sent as get_order gives it`);
        if (!data.includes('"messengerUserId":"9007199254740993"'))
          problems.push('an id beyond 2^53 was rounded');
      }
    }
    return {
      done: 'unicode, ids over 2^53, key order; 503 first',
      ...(await stage.verdict({ problems, schedule: true })),
    };
  });
}

export const faults = [
  { id: 'F18', name: 'many writers, clock back', run: manyWriters },
  { id: 'F19', name: 'secret rotated', run: rotatedSecret },
  { id: 'F20', name: 'strange bytes', run: strangeBytes },
];
