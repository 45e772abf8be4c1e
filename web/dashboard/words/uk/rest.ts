import type { RestWords } from '../en/rest';
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

const rest: RestWords = {
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

export default rest;
