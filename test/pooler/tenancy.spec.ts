import './through-pgbouncer.js';
import '../contract/stores/tenancy.spec.js';
