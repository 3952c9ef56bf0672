/**
 * The walls of docs/ARCHITECTURE.md: who may import whom. Each rule names a folder and what it may reach;
 * test/architecture.test.ts proves that every rule catches what it forbids.
 */
const packages = '(^|/)node_modules/'
const contracts = '^src/features/[^/]+/[^/]+\\.ts$'
// What a browser runs of a feature's own files; of the others (contracts, plain tables) it knows the types.
const shared = '^src/features/[^/]+/((|[^/]*-)(addresses|forms|table)|errors|permissions|settings)\\.ts$'
const browser = ['^src/(web|widget|worker)/', '^src/features/[^/]+/web/']
// What the conversation is made of, from the ledger up; other features take part in it through hooks.
const family = 'ledger|visibility|messages|tickets|schedules|macros|notes|history|distribution|attendance'
// Rooms whose files other features' screens are put together from; how many names each gives is counted by test/architecture.test.ts.
const rooms = '^src/features/(messages|tickets|schedules|macros|notes|history|distribution)/web/'
const providerLists = (name) => `^src/providers/[^/]+/(${name})\\.ts$`

/** Forbids everything that is not listed; `own` may use `$1`, the feature's or provider's name. */
const only = (name, from, allowed, { except, npm } = {}) => [
  {
    name,
    severity: 'error',
    from: { path: from, pathNot: ['\\.test\\.tsx?$', ...(except ?? [])] },
    to: { pathNot: [...allowed, packages], dependencyTypesNot: ['core'], couldNotResolve: false },
  },
  ...(npm === undefined
    ? []
    : [
        {
          name: `${name}-packages`,
          severity: 'error',
          from: { path: from, pathNot: ['\\.test\\.tsx?$', ...(except ?? [])] },
          to: { pathNot: ['^(src|db|test)/', ...npm.map((id) => `${packages}${id}/`)], couldNotResolve: false },
        },
      ]),
]

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },

    ...only('domain', '^src/domain/', ['^src/domain/'], {
      except: ['^src/domain/(flow|phone|recurrence|kanban)'],
      npm: [],
    }),
    ...only('domain-phone', '^src/domain/phone', ['^src/domain/'], { npm: ['libphonenumber-js'] }),
    ...only('domain-flow', '^src/domain/flow', ['^src/domain/'], { npm: ['re2js'] }),
    ...only('domain-recurrence', '^src/domain/recurrence', ['^src/domain/'], { npm: ['rrule'] }),
    ...only('domain-kanban', '^src/domain/kanban', ['^src/domain/'], { npm: ['fractional-indexing'] }),
    ...only('kit', '^src/kit/', ['^src/(kit|domain)/'], { npm: ['zod'] }),

    ...only('contract', contracts, ['^src/(kit|domain)/', contracts, providerLists('configs?')], { npm: ['zod'] }),
    ...only('addresses', '^src/(kit|features/[^/]+)/[^/]*addresses\\.ts$', ['^src/kit/(addresses|permissions)\\.ts$'], {
      npm: [],
    }),
    ...only('forms', '^src/features/[^/]+/forms\\.ts$', [
      '^src/(kit|domain)/',
      '^src/features/[^/]+/forms\\.ts$',
      providerLists('configs?'),
    ]),
    ...only('feature-server', '^src/features/([^/]+)/server/', [
      '^src/(kit|domain|server)/',
      '^db/types\\.ts$',
      '^src/features/$1/server/',
      '^src/features/[^/]+/server/index\\.ts$',
      '^src/features/[^/]+/server/[^/]+/index\\.ts$',
      contracts,
      providerLists('configs?|adapters|port'),
    ]),
    {
      name: 'ledger',
      severity: 'error',
      comment: 'The ledger knows no other feature (decision 0270).',
      from: { path: '^src/features/ledger/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/features/(?!ledger/)' },
    },
    {
      name: 'conversations',
      severity: 'error',
      comment: 'Other features take part through hooks (docs/decisions/hooks.md); conversations know none of them.',
      from: { path: `^src/features/(${family})/(server/|[^/]+\\.ts$)`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/features/(?!(${family})/)` },
    },
    ...only('feature-web', '^src/features/([^/]+)/web/', [
      '^src/(kit|domain|web)/',
      '^src/features/$1/web/',
      '^src/features/[^/]+/web/index\\.tsx?$',
      rooms,
      contracts,
      providerLists('configs?|looks'),
    ]),

    ...only('provider', '^src/providers/([^/]+)/([^/]+)/', [
      '^src/(kit|domain)/',
      '^src/providers/$1/[^/]+\\.ts$',
      '^src/providers/$1/$2/',
      '^src/providers/[^/]+\\.ts$',
    ]),
    ...only('provider-shared', '^src/providers/[^/]+\\.ts$', ['^src/(kit|domain)/']),
    ...only('provider-list', '^src/providers/([^/]+)/[^/]+\\.ts$', ['^src/(kit|domain)/', '^src/providers/$1/']),

    ...only('server', '^src/server/', ['^src/(kit|domain|server)/', '^db/types\\.ts$'], {
      // main.ts fills the demo when it is asked to, and only then loads it.
      except: ['^src/server/(features|main)\\.ts$'],
    }),
    ...only('main', '^src/server/main\\.ts$', ['^src/(kit|domain|server)/', '^db/seed\\.ts$']),
    // What a channel is called and how it looks stands in its config.
    ...only('web', '^src/web/', ['^src/(kit|domain|web)/', providerLists('configs|looks')], {
      except: ['^src/web/features\\.tsx$'],
    }),
    ...only('server-list', '^src/server/features\\.ts$', [
      '^src/(kit|domain|server)/',
      '^src/features/[^/]+/(server/|[^/]+\\.ts$)',
      providerLists('adapters'),
    ]),
    ...only('web-list', '^src/web/features\\.tsx$', [
      '^src/(kit|domain|web)/',
      '^src/features/[^/]+/(web/|[^/]+\\.ts$)',
    ]),
    ...only('widget', '^src/widget/', ['^src/(kit|domain|widget)/', contracts]),
    ...only('product', '^src/', ['^src/', '^db/types\\.ts$'], { except: ['^src/server/main\\.ts$'] }),

    {
      name: 'browser-contracts',
      severity: 'error',
      comment:
        'The browser calls by addresses. A contract gives it types, a plain table comes when its screen is opened.',
      from: { path: browser, pathNot: '\\.test\\.tsx?$' },
      to: { path: contracts, pathNot: shared, dependencyTypesNot: ['type-only'], dynamic: false },
    },
    {
      name: 'browser-schemas',
      severity: 'error',
      comment: 'What a form checks by stands in forms.ts of its feature, which brings zod when the form is opened.',
      from: { path: browser, pathNot: '\\.test\\.tsx?$' },
      to: { path: `${packages}zod/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'browser-packages',
      severity: 'error',
      comment: 'The browser gets no Node module and no package of the server.',
      from: { path: ['^src/(web|widget|domain|kit)/', '/web/', contracts], pathNot: '\\.test\\.tsx?$' },
      to: { path: [`${packages}(pg|kysely|fastify|@fastify/.*|graphile-worker|socket\\.io|sharp|pino)/`] },
    },
    {
      name: 'browser-core',
      severity: 'error',
      from: {
        path: ['^src/(web|widget|domain|kit)/', '^src/features/[^/]+/web/', contracts],
        pathNot: '\\.test\\.tsx?$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'server-packages',
      severity: 'error',
      comment: 'The server draws no interface.',
      from: { path: ['^src/server/', '^src/features/[^/]+/server/', '^src/providers/'] },
      to: { path: [`${packages}(react|react-dom|preact|@mantine/.*|@tanstack/.*)/`] },
    },
    {
      name: 'sql',
      severity: 'error',
      comment: 'A feature keeps its SQL in files named after queries.',
      from: { path: '^src/features/', pathNot: ['queries[^/]*\\.ts$', '\\.test\\.ts$'] },
      to: { path: `${packages}(pg|kysely)/` },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
