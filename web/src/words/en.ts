import { account } from './en/account';
import { catalog } from './en/catalog';
import { general } from './en/general';
import { marketing } from './en/marketing';
import { partners } from './en/partners';
import { fieldProblems, problems } from './en/problems';
import { reports } from './en/reports';
import { said } from './en/said';
import { sell } from './en/sell';
import { shop } from './en/shop';

/**
 * All texts of the dashboard: general ones, and a section for each folder of pages/, by sections of the menu.
 * Other languages have the same shape (uk.ts).
 */
const en = {
  ...general,
  ...sell,
  ...reports,
  ...catalog,
  ...marketing,
  ...shop,
  ...partners,
  ...account,
  said,
  problems,
  fieldProblems,
};

export type Words = typeof en;
export default en;
