import { account } from './account';
import { catalog } from './catalog';
import { marketing } from './marketing';
import { opened } from './opened';
import { partners } from './partners';
import { fieldProblems, problems } from './problems';
import { reports } from './reports';
import { said } from './said';
import { sell } from './sell';
import { shop } from './shop';

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
  said,
  problems,
  fieldProblems,
};

export type RestWords = typeof rest;
export default rest;
