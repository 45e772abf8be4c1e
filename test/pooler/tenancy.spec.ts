import './through-pgbouncer.js';
import '../contract/tenancy.spec.js';
