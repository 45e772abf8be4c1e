// Preloaded into the service by bench:fairness: the name server is the one that it is given.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

dns.Resolver = class extends dns.Resolver {
  constructor(options) {
    super(options);
    this.setServers([process.env.NAME_SERVER]);
  }
};
syncBuiltinESMExports();
