import { account } from './account';
import { catalog } from './catalog';
import { marketing } from './marketing';
import { opened } from './opened';
import { partners } from './partners';
import { fieldProblems, problems } from './problems';
import { reports } from './reports';
import { sell } from './sell';
import { shop } from './shop';
import { warnings } from './warnings';

/** The texts of all pages but the first ones, by sections of the menu, and those of refusals and warnings. */
const rest = {
  ...opened,
  ...sell,
  ...reports,
  ...catalog,
  ...marketing,
  ...shop,
  ...partners,
  ...account,
  problems,
  fieldProblems,
  warnings,
};

export type RestWords = typeof rest;
export default rest;
