import type { RestWords } from '../en/rest';
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

const rest: RestWords = {
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

export default rest;
