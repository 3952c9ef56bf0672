import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owners } from './owners.ts'

const root = join(import.meta.dirname, '..')
const rules: IFlattenedRuleSet & { options: ICruiseOptions } = createRequire(import.meta.url)(
  join(root, '.dependency-cruiser.cjs'),
)
const names = rules.forbidden?.map(({ name }) => name) ?? []

/** Forbidden imports, one per rule: importing file, imported file, and the rule that must report it. */
const trespasses: [from: string, to: string, rule: string][] = [
  ['src/domain/a.ts', '#kit/errors.ts', 'domain'],
  ['src/domain/b.ts', 'zod', 'domain-packages'],
  ['src/domain/phone/c.ts', '#server/log.ts', 'domain-phone'],
  ['src/domain/phone/d.ts', 'zod', 'domain-phone-packages'],
  ['src/domain/flow/c.ts', '#server/log.ts', 'domain-flow'],
  ['src/domain/flow/d.ts', 'zod', 'domain-flow-packages'],
  ['src/domain/recurrence/c.ts', '#server/log.ts', 'domain-recurrence'],
  ['src/domain/recurrence/d.ts', 'zod', 'domain-recurrence-packages'],
  ['src/domain/kanban/c.ts', '#server/log.ts', 'domain-kanban'],
  ['src/domain/kanban/d.ts', 'zod', 'domain-kanban-packages'],
  ['src/kit/e.ts', '#server/log.ts', 'kit'],
  ['src/kit/f.ts', 'kysely', 'kit-packages'],
  ['src/features/one/contract.ts', '#server/log.ts', 'contract'],
  ['src/features/one/rows.ts', 'kysely', 'contract-packages'],
  ['src/features/one/addresses.ts', '#features/one/contract.ts', 'addresses'],
  ['src/features/two/addresses.ts', 'zod', 'addresses-packages'],
  ['src/features/one/more-addresses.ts', '#features/one/contract.ts', 'addresses'],
  ['src/features/one/forms.ts', '#features/two/contract.ts', 'forms'],
  ['src/features/one/server/g.ts', '#features/two/server/inner.ts', 'feature-server'],
  ['src/features/one/server/h.ts', '#features/one/web/Screen.tsx', 'feature-server'],
  ['src/features/one/server/k.ts', '#features/two/server/room/inner.ts', 'feature-server'],
  ['src/features/ledger/server/x.ts', '#features/tickets/server/index.ts', 'ledger'],
  ['src/features/ledger/rows.ts', '#features/tickets/contract.ts', 'ledger'],
  ['src/features/tickets/server/x.ts', '#features/two/server/index.ts', 'conversations'],
  ['src/features/tickets/server/y.ts', '#features/two/contract.ts', 'conversations'],
  ['src/features/one/web/i.tsx', '#features/two/web/Inner.tsx', 'feature-web'],
  ['src/features/one/web/j.tsx', '#server/log.ts', 'feature-web'],
  ['src/providers/channels/first/k.ts', '#providers/channels/second/index.ts', 'provider'],
  ['src/providers/channels/first/l.ts', '#features/two/contract.ts', 'provider'],
  ['src/providers/channels/port.ts', '#server/log.ts', 'provider-list'],
  ['src/providers/shared.ts', '#server/log.ts', 'provider-shared'],
  ['src/server/m.ts', '#features/two/contract.ts', 'server'],
  ['src/server/n.ts', '#web/shell.tsx', 'server'],
  ['src/web/o.tsx', '#features/two/contract.ts', 'web'],
  ['src/web/p.tsx', '#server/log.ts', 'web'],
  ['src/server/features.ts', '#features/two/web/Inner.tsx', 'server-list'],
  ['src/web/features.tsx', '#features/two/server/inner.ts', 'web-list'],
  ['src/widget/q.ts', '#web/shell.tsx', 'widget'],
  ['src/server/main.ts', '#test/make.ts', 'main'],
  ['src/server/r.ts', '#test/make.ts', 'product'],
  ['src/features/one/web/x.tsx', '#features/one/contract.ts', 'browser-contracts'],
  ['src/widget/y.tsx', '#features/one/contract.ts', 'browser-contracts'],
  ['src/features/one/web/y.tsx', 'zod', 'browser-schemas'],
  ['src/web/s.tsx', 'pg', 'browser-packages'],
  ['src/features/one/web/t.tsx', 'node:fs', 'browser-core'],
  ['src/server/u.ts', 'react', 'server-packages'],
  ['src/features/one/server/close.ts', 'kysely', 'sql'],
  ['src/domain/v.ts', './gone.ts', 'resolvable'],
  ['src/domain/w.ts', './w.ts', 'no-cycles'],
]

/** Imports that the walls must let through, those of types and those on use among them. */
const visits: [from: string, to: string, how?: 'type' | 'on use'][] = [
  ['src/features/one/server/queries.ts', 'kysely'],
  ['src/features/one/server/queries.ts', '#features/two/server/index.ts'],
  ['src/features/one/server/queries.ts', '#features/two/server/room/index.ts'],
  ['src/features/one/web/index.ts', '#features/messages/web/room/part.tsx'],
  ['src/features/one/server/index.ts', '#features/one/server/queries.ts'],
  ['src/features/one/web/index.ts', '#features/two/web/index.ts'],
  ['src/features/one/web/index.ts', '#features/two/contract.ts', 'type'],
  ['src/features/one/web/index.ts', '#features/one/table.ts', 'on use'],
  ['src/features/one/web/index.ts', '#features/two/addresses.ts'],
  ['src/features/one/web/index.ts', '#features/one/more-addresses.ts'],
  ['src/features/one/web/form.tsx', '#features/one/forms.ts'],
  ['src/domain/phone/index.ts', 'libphonenumber-js/core'],
  ['src/providers/channels/adapters.ts', '#providers/channels/second/index.ts'],
  ['src/server/storage.ts', 'node:fs'],
]

let project: string
let found: { rule: string; from: string; to: string }[]

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'guiche-walls-'))
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(project, file))
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  const files = new Map<string, string>()
  const plain = trespasses.map(([from, to]) => [from, to] as const)
  for (const [from, to, how] of [...plain, ...visits]) {
    const statement = how === 'type' ? `import type {} from '${to}'` : how ? `await import('${to}')` : `import '${to}'`
    files.set(from, `${files.get(from) ?? ''}${statement}\n`)
    if (to.startsWith('#'))
      files.set(to.replace('#test', 'test').replace('#', 'src/'), files.get(to.replace('#', 'src/')) ?? '')
  }
  for (const [file, text] of files) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), `${text}export {}\n`)
  }
  const { output } = await cruise(['src', 'test'], {
    ...rules.options,
    baseDir: project,
    ruleSet: rules,
    validate: true,
  })
  const { summary } = output as ICruiseResult
  found = summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
})

afterAll(() => rmSync(project, { recursive: true }))

test.each(trespasses)('%s may not import %s: %s', (from, _to, rule) => {
  expect(found.filter((violation) => violation.from === from).map((violation) => violation.rule)).toContain(rule)
})

test.each(visits)('%s may import %s', (from) => {
  expect(found.filter((violation) => violation.from === from)).toEqual([])
})

test('every wall has an import here that it must catch', () => {
  expect([...new Set(trespasses.map(([, , rule]) => rule))].sort()).toEqual([...new Set(names)].sort())
})

test('a feature has its SQL in files named after queries only', () => {
  const files = globSync('src/features/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*queries*.ts', '**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(0)
  const sql = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/
  expect(files.filter((file) => sql.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

// The router has read the address; who reads it again by hand reads it otherwise.
const rawAddress =
  /\boriginalUrl\b|\.raw\b(?!\()|\b(request|req|handshake)\??\.url\b|\{[^}]*\burl\b[^}]*\}\s*(:\s*\w+\s*)?(=\s*(request|req)\b|:\s*(FastifyRequest|IncomingMessage))/

test.each([
  'const name = request.url.slice(8)',
  'open(request.raw)',
  'const { url } = request',
  'async ({ query, url }: FastifyRequest) => url',
  'request.originalUrl',
])('reading the address by hand is found: %s', (line) => {
  expect(line).toMatch(rawAddress)
})

test('no feature, provider or rule reads the address of a request by hand', () => {
  // The laboratory's WhatsApp is a separate server without a router.
  const exclude = ['**/*.test.ts', 'src/features/lab/server/whatsapp/**']
  const files = globSync('src/{features,providers,kit,domain}/**/*.ts', { cwd: root, exclude })
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => rawAddress.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('no line of the log takes the sentence of an error, which may quote what somebody wrote', () => {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'src/web/**', 'src/widget/**'] })
  const quotes =
    /\blog\.(trace|debug|info|warn|error|fatal)\((?:[^()]|\([^()]*\))*?(\.message\b|\bString\(|\$\{(err|error|cause|reason)\b)/
  expect('log.warn({ code, reason: error.message }, "x")').toMatch(quotes)
  expect(files.filter((file) => quotes.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

// Channel-specific behaviour comes from the channel's config. Two features are exempt: they contain the screens and the
// other end of a channel.
const ofOneChannel = ['src/providers/**', 'src/features/lab/**', 'src/features/webchat/**', 'src/widget/**']
const channelFolders = globSync('src/providers/channels/*/config.ts', { cwd: root }).map((file) => dirname(file))
const channelName = new RegExp(
  `(?<!icon: )['"\`](${channelFolders.map((folder) => folder.split('/').at(-1)).join('|')})['"\`]`,
)

test.each([
  "if (channel === 'webchat') return",
  "case 'lab':",
  "where('type', '=', 'lab')",
  "sql`select from connections where type = 'webchat'`",
  '["lab", 1]',
])('a channel that is named is found: %s', (line) => {
  expect(line).toMatch(channelName)
})

test('no file outside of a channel names it', () => {
  expect(channelFolders.length).toBeGreaterThan(1)
  // HTML itself calls the head of a web page so.
  const html = '**/links/page.ts'
  // The code that shows whose a number is comes by a text message, or by voice.
  const codes = ['**/provider-numbers/contract.ts', '**/provider-numbers/web/dialogs.tsx']
  // Kinds of dispatches, as callers name them.
  const kinds = ['**/campaigns/**/{mass,index,MassForm}.{ts,tsx}']
  const exclude = [...ofOneChannel, html, ...codes, ...kinds, '**/*.test.ts']
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude })
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => channelName.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

// A switch has its name on the wire.
test.each(['mail', 'identity'])('no feature names a provider of %s, or speaks its protocol', (kind) => {
  const ids = globSync(`src/providers/${kind}/*/config.ts`, { cwd: root }).map((file) => basename(dirname(file)))
  expect(ids).not.toEqual([])
  const named = new RegExp(
    `(?<!set\\()['"\`](${ids.join('|')}|nodemailer|openid-client)['"\`]|providers/${kind}/(${ids.join('|')})/`,
  )
  const files = globSync('src/features/{mail,identity-provider}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.ts'],
  })
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => named.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('whether a conversation has a live ticket is asked of its owner alone', () => {
  const files = globSync('src/features/*/server/**/*queries*.ts', {
    cwd: root,
    exclude: ['src/features/{ledger,visibility,tickets}/**'],
  })
  expect(files.length).toBeGreaterThan(20)
  const isLive = /status\b\W+in\W+'(open|pending)'\W+'(open|pending)'/
  expect("exists (select from tickets t where t.status in ('open', 'pending'))").toMatch(isLive)
  expect(".where('status', 'in', ['pending', 'open'])").toMatch(isLive)
  expect(files.filter((file) => isLive.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

const built = '\\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\\(\\s*'
const raw = '\\b(?:insert\\s+into|merge\\s+into|update|delete\\s+from|truncate(?:\\s+table)?|copy)(?:\\s+only)?\\s+'
const writes = new RegExp(`${built}['"\`](?:\\w+\\.)?(\\w+)|${raw}(?:"?\\w+"?\\.)?"?(\\w+)`, 'gi')
/** A table that is not named where it is written; a lock names none, and neither does what a conflict changes. */
const unnamed = new RegExp(`${built}[^'"\`\\s]|(?<!\\bfor |\\bdo )${raw}\\$\\{`, 'i')
const tables = new Set(
  [
    ...readFileSync(join(root, 'db/types.ts'), 'utf8')
      .split('interface DB {')[1]!
      .matchAll(/^ {2}(\w+): /gm),
  ].map(([, table]) => table!),
)
const written = (text: string): string[] =>
  [...text.matchAll(writes)].map(([, built, raw]) => (built ?? raw)!).filter((table) => tables.has(table))

test('every table belongs to one folder', () => {
  expect(Object.values(owners).flat().toSorted()).toEqual([...tables].toSorted())
})

/** Returns the tables of other owners that a file writes, and statements that write a table without a literal name. */
function foreignWrites(file: string, text: string): string[] {
  const [, folder, feature] = file.split('/')
  const owner = folder === 'features' ? feature! : 'server'
  const foreign = written(text).filter((table) => !owners[owner]?.includes(table))
  return [...foreign, ...(owner !== 'server' && unnamed.test(text) ? ['a table without a name'] : [])]
}

test.each([
  ["db.updateTable('tickets').set({})", 'tickets'],
  ['db.insertInto("ticket_logs").values(rows)', 'ticket_logs'],
  ["db.deleteFrom('public.messages')", 'messages'],
  ['sql`insert into message_trail (step) values (1)`', 'message_trail'],
  ['sql`with gone as (delete from only messages where id = 1) select 1`', 'messages'],
  ['sql`update public."tickets" set status = 1`', 'tickets'],
  ['sql`merge into ticket_logs using x`', 'ticket_logs'],
  ['sql`truncate table message_trail`', 'message_trail'],
  ['sql`copy messages from stdin`', 'messages'],
  ['sql`insert into\n  messages (id)`', 'messages'],
  ['db.updateTable(table).set({})', 'a table without a name'],
  [`sql\`update \${sql.table(name)} set status = 1\``, 'a table without a name'],
])('a second writer of the ledger is found: %s', (text, table) => {
  expect(foreignWrites('src/features/ratings/server/queries.ts', text)).toEqual([table])
})

test('what reads, locks or settles a conflict writes nothing', () => {
  const reading =
    'select * from messages for update; select x for update of t; insert into lab_phones (id) values (1) on conflict do update set id = 2'
  expect(foreignWrites('src/features/lab/server/queries.ts', reading)).toEqual([])
})

test('only its owner writes a table, and says which one it is', () => {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'src/{web,widget,worker}/**'] })
  expect(files.length).toBeGreaterThan(400)
  const foreign = files.flatMap((file) =>
    foreignWrites(file, readFileSync(join(root, file), 'utf8')).map((table) => `${file} writes ${table}`),
  )
  expect([...new Set(foreign)]).toEqual([])
})

test.each([
  ['messages', 1],
  ['tickets', 2],
  ['ticket_logs', 2],
  ['message_trail', 2],
  ['message_acts', 2],
])('rows of %s begin at %i places of the ledger: beside them there is none', (table, places) => {
  const files = globSync('src/features/ledger/server/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const inserts = new RegExp(`insert into ${table}\\b|insertInto\\('${table}'`, 'g')
  expect(files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(inserts) ?? [])).toHaveLength(places)
})

test('what is stored as a message has gone through writeMessages', () => {
  const files = globSync('src/features/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const naming = files.filter((file) => /\binsertMessages\b/.test(readFileSync(join(root, file), 'utf8')))
  expect(naming.toSorted()).toEqual([
    'src/features/ledger/server/ticket/queries.ts',
    'src/features/ledger/server/writing/write.ts',
  ])
})

/** Which features each imports: server, web, contracts and types, whenever they are loaded. */
function featureGraph(project: string): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const file of globSync('src/features/**/*.{ts,tsx}', { cwd: project, exclude: ['**/*.test.*'] })) {
    const text = readFileSync(join(project, file), 'utf8')
    const [, , from = ''] = file.split('/')
    const to = [...text.matchAll(/'(#features\/|\.{1,2}\/)([^'\n]+)'/g)].flatMap(([, way, rest]) => {
      const path = way === '#features/' ? `src/features/${rest}` : join(dirname(file), `${way}${rest}`)
      const [, other] = /^src\/features\/([^/]+)\//.exec(path) ?? []
      return other && other !== from ? [other] : []
    })
    graph.set(from, new Set([...(graph.get(from) ?? []), ...to]))
  }
  return graph
}

/** The features that lead back to themselves. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of graph.get(from) ?? [])
      if (!seen.has(next)) {
        seen.add(next)
        reach(next, seen)
      }
    return seen
  }
  return [...graph.keys()].filter((name) => reach(name).has(name))
}

test.each([
  ['a type', "import type { Row } from '#features/one/server/rows.ts'"],
  ['a contract', "import { one } from '#features/one/contract.ts'"],
  ['what is passed on', "export { one } from '#features/one/web/index.ts'"],
  ['what is loaded later', "const load = () => import('#features/one/web/One.tsx')"],
  ['a sheet', "import '#features/one/web/one.module.css'"],
  ['a path of its own', "import { one } from '../../one/web/index.ts'"],
])('a way back to the same feature over %s is found', (_, wayBack) => {
  const made = mkdtempSync(join(tmpdir(), 'guiche-cycle-'))
  const files = {
    'one/contract.ts': "import type { Two } from '#features/two/types.ts'",
    'two/server/index.ts': "import { three } from '#features/three/contract.ts'",
    'three/web/Three.tsx': wayBack,
    'four/server/index.ts': "import { one } from '#features/one/server/index.ts'",
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(made, 'src/features', dirname(file)), { recursive: true })
    writeFileSync(join(made, 'src/features', file), text)
  }
  expect(cyclesOf(featureGraph(made)).toSorted()).toEqual(['one', 'three', 'two'])
  rmSync(made, { recursive: true })
})

test('no feature leads back to itself through others: not by types, not by contracts', () => {
  const graph = featureGraph(root)
  expect([...graph.values()].filter((to) => to.size > 0).length).toBeGreaterThan(15)
  expect(cyclesOf(graph)).toEqual([])
})

/** The name a file of `src` has to have: that of the one component it is for, else kebab-case; both endings of a test stay. */
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(api|wide|d))*(\.test)?\.(tsx?|css|html|json)$|^[a-z0-9-]+\.module\.css$/
const component = /^[A-Z]\w*[a-z]\w*$/

function misnamed(file: string, text: string): boolean {
  const exported = [
    ...text.matchAll(/^export (?:async )?(?:function|const|let|class) (\w+)|^export (?:\*|\{[^}]+\})/gm),
  ].map(([, name]) => name)
  const [only = ''] = exported
  const isComponent = /(?<!\.test)\.tsx$/.test(file) && exported.length === 1 && component.test(only)
  return isComponent ? basename(file) !== `${only}.tsx` : !kebab.test(basename(file))
}

test.each([
  ['web/note.tsx', 'export function Note() {}'],
  ['web/Note.tsx', 'export function Note() {}\nexport const limit = 3'],
  ['web/Note.tsx', 'export const noteLimit = 3'],
  ['web/Note.ts', 'export function Note() {}'],
  ['web/noteList.ts', ''],
  ['web/Note.module.css', ''],
])('a file that breaks the rule of names is found: %s', (file, text) => expect(misnamed(file, text)).toBe(true))

test('a file that exports one component alone is named after it, every other in kebab-case', () => {
  const files = globSync('src/**/*.*', { cwd: root })
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => misnamed(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('a test that stands in for a module loads anew what asks it: files of tests share their modules', () => {
  const mocks = globSync('{src,test,bench}/**/*.test.{ts,tsx}', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .filter((text) => /^vi\.(do)?[mM]ock\(/m.test(text))
  expect(mocks.length).toBeGreaterThan(0)
  expect(mocks.filter((text) => !text.includes('vi.resetModules()'))).toEqual([])
})

test('what React reads from outside is a store of web/store.ts, not one made by hand', () => {
  const files = globSync('src/{web,features}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.*', 'src/web/store.ts'],
  })
  const handMade = /useSyncExternalStore|new Set<\([^>]*\) => void>/
  expect('const readers = new Set<(token: string) => void>()').toMatch(handMade)
  expect(files.filter((file) => handMade.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
