import './through-pgbouncer.js';
import '../contract/operations.spec.js';
