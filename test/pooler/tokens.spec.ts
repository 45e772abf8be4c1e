import './through-pgbouncer.js';
import '../contract/tokens.spec.js';
