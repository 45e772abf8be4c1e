import type { Words } from './en';
import { account } from './uk/account';
import { catalog } from './uk/catalog';
import { general } from './uk/general';
import { marketing } from './uk/marketing';
import { partners } from './uk/partners';
import { fieldProblems, problems } from './uk/problems';
import { reports } from './uk/reports';
import { said } from './uk/said';
import { sell } from './uk/sell';
import { shop } from './uk/shop';

const uk: Words = {
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

export default uk;
