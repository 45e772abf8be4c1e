// Work of a fixed amount, of the kind that a service does: says in µs what processor time it took.
const order = {
  id: 1,
  lines: Array.from({ length: 40 }, (_, i) => ({ product: `product ${i}`, quantity: i, price: i / 7 })),
};
const ROUNDS = 20_000;

function work() {
  const seen = new Map();
  for (let i = 0; i < ROUNDS; i++) {
    const copy = JSON.parse(JSON.stringify({ ...order, id: i }));
    seen.set(i % 5_000, copy);
  }
  return seen.size;
}

work();
const before = process.cpuUsage();
work();
const { user, system } = process.cpuUsage(before);
console.log(user + system);
