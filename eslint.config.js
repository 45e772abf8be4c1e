import eslint from 'typescript-eslint';
import { libraryInternals } from './scripts/lint/library-internals.mjs';
import swappedNames from './scripts/lint/swapped-names.mjs';

const RAW_CLIENT = {
  selector: "NewExpression[callee.object.name='pg'][callee.property.name='Client']",
  message: 'Use Client of connection.ts: an error event that nobody hears ends the process.',
};

/** Lists of columns by hand: `p.sale_price as "salePrice", p.item_amount as "itemAmount"`. */
const columnList = {
  create: (context) => ({
    TemplateElement(node) {
      const camel = (column) => column.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
      const renamed = [...node.value.raw.matchAll(/\.(\w+_\w+)(?:::\w+)? as "(\w+)"/g)];
      if (renamed.filter(([, column, name]) => camel(column) === name).length > 1)
        context.report({ node, message: 'Let columns() write the list.' });
    },
  }),
};
const VERSION_BUMP = {
  selector: "TemplateElement[value.raw=/interval '1 millisecond'\\)/]",
  message: 'Use versionAfter().',
};
const RAW_QUERY = {
  selector: "CallExpression[callee.property.name='query'] > :matches(Literal, TemplateLiteral).arguments",
  message: 'Run a statement() or a systemStatement().',
};
/** What is sent around statements, before there is a schema, or to tables that the catalog names. */
const RAW_SQL = ['src/platform/database/**', 'src/embedded-postgres/**', 'src/operator/**'];
const SQL = ['Literal[value', 'TemplateElement[value.raw'].map((text) => ({
  selector:
    `${text}=/^\\s*(select |insert into |update \\w+ (\\w+ )?set |delete from |with \\w+ as )/]` +
    ':not(CallExpression[callee.name=/^(statement|systemStatement)$/] *)',
  message: 'SQL stands in a statement().',
}));

const FORMS = [
  { selector: "JSXOpeningElement[name.name='form']", message: 'Use Form, which guards typed work.' },
  {
    selector: 'JSXOpeningElement[name.name=/^(Modal|Drawer)$/]',
    message: 'Use Dialog, which asks before typed work in it is lost.',
  },
];

const PAUSES = [
  'ImportDeclaration[source.value=/timers.promises$/] > ImportNamespaceSpecifier',
  'ImportDeclaration[source.value=/timers.promises$/] > ImportSpecifier[imported.name!=/Immediate/]',
  "CallExpression[callee.name='setTimeout']",
  "CallExpression[callee.property.name='waitForTimeout']",
].map((selector) => ({
  selector,
  message: 'Wait with eventually() or its like in test/support; paced() is for load that must take time.',
}));

/** What two groups of pages need is a part. @param up leads from a file to the folder of all groups */
const otherGroups = (up) => ({
  patterns: [
    {
      regex: `^${up.replaceAll('.', '\\.')}(?!\\.\\./)`,
      message: 'A group of pages imports api, parts and words, never another group.',
    },
  ],
});

export default eslint.config(
  {
    ignores: [
      '**/dist/',
      'node_modules/',
      'coverage/',
      'bench/results/',
      'web/dashboard/api/generated/',
      'web/shop/src/generated/',
      '**/*.generated.ts',
      'packages/client/src/generated/',
      'test-results/',
    ],
  },
  ...eslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', prefer: 'type-imports', disallowTypeAnnotations: false },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'Use parseUrl, which says why.' },
      ],
    },
  },
  {
    // The types of a decorated class's constructor are needed at run time; with these the rule on type
    // imports knows it.
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
  },
  {
    // docs/decisions/0009-library-internals.md
    files: ['src/**/*.ts', 'migrations/**/*.ts', 'scripts/**/*.mjs'],
    ignores: ['**/*.spec.ts'],
    plugins: { libraries: { rules: { internals: libraryInternals() } } },
    rules: { 'libraries/internals': 'error' },
  },
  {
    // docs/decisions/0008-rows-or-statements.md
    files: ['src/**/*.ts'],
    ignores: [
      'src/platform/database/connections/connection.ts',
      'src/platform/store/version.ts',
      '**/*.spec.ts',
    ],
    plugins: { statements: { rules: { 'column-list': columnList } } },
    rules: { 'no-restricted-syntax': ['error', RAW_CLIENT, VERSION_BUMP], 'statements/column-list': 'error' },
  },
  ...swappedNames,
  {
    files: ['src/**/*.ts'],
    ignores: [...RAW_SQL, 'src/platform/store/version.ts', '**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', RAW_CLIENT, VERSION_BUMP, RAW_QUERY] },
  },
  {
    files: ['src/groups/**/*.ts', 'src/people/**/*.ts', 'src/stores/**/*.ts', 'src/doors/**/*.ts'],
    ignores: ['**/*.statements.ts', '**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', RAW_CLIENT, VERSION_BUMP, RAW_QUERY, ...SQL] },
  },
  {
    // The dangerous call does not exist in a group: rows are reached through the store's context only.
    files: ['src/groups/**/*.ts', 'src/doors/mcp/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'pg', message: 'Use ctx.session or ctx.rows.' },
            {
              name: 'typeorm',
              importNames: ['DataSource', 'EntityManager', 'Repository', 'QueryRunner'],
              message: 'Use ctx.rows.',
            },
            {
              name: '@nestjs/typeorm',
              importNames: ['InjectRepository', 'InjectDataSource'],
              message: 'Use ctx.rows.',
            },
          ],
          patterns: [
            {
              group: ['**/database/system.js', '**/database/session.js'],
              message: 'Only the platform sees past the store.',
            },
          ],
        },
      ],
    },
  },
  {
    // A fixed pause is too short on a busy machine, or proves nothing there.
    files: ['test/**', 'web/test/**', '**/*.spec.ts'],
    ignores: ['test/runner/**', 'test/support/eventually.ts', 'test/support/waiting/paced.mjs'],
    rules: { 'no-restricted-syntax': ['error', ...PAUSES] },
  },
  {
    files: ['web/dashboard/**/*.tsx'],
    ignores: ['web/dashboard/parts/dialog.tsx', 'web/dashboard/parts/forms/form.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...FORMS] },
  },
  {
    files: ['web/dashboard/pages/*/*'],
    rules: { 'no-restricted-imports': ['error', otherGroups('../')] },
  },
  {
    files: ['web/dashboard/pages/*/*/**'],
    rules: { 'no-restricted-imports': ['error', otherGroups('../../')] },
  },
  {
    files: ['test/**', 'examples/**', '**/*.spec.ts', 'bench/**', 'scripts/**', 'jest.config.js'],
    rules: { '@typescript-eslint/no-explicit-any': 'off', 'no-console': 'off' },
  },
);
