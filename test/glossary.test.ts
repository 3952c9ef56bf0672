import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words of this product only, each with the field's term (docs/glossary.md). */
const banned: Readonly<Record<string, string>> = {
  line: 'connection, socket, phone, queue',
  tell: 'publish',
  told: 'published',
  hear: 'subscribe, receive',
  heard: 'received',
  say: 'send a system message',
  said: 'sent',
  standing: 'session permissions, pending survey',
  place: 'cursor, assignment, bucket',
  signs: 'tab presence',
  raise: 'acquire',
  front: 'foreground',
  early: 'preload',
  later: 'deferred',
  evaluation: 'rating',
  hold: 'lock',
  held: 'locked',
  keep: 'save',
  kept: 'saved',
  drop: 'remove',
  settle: 'reconcile',
  head: 'header',
  foot: 'footer',
  bits: 'badges',
  words: 'labels',
  wire: 'serializer',
  crowd: 'load fixture',
  again: 'reauthenticate, reload',
  sealed: 'encrypted',
  seal: 'encrypt',
  storable: 'sanitized',
}

/** Ordinary senses, and names that others gave: the wire's, the database's, the front end's, Node's. */
const ordinary = new Set([
  ...['withoutLineBreaks', 'Line', 'Lines', 'read-lines', 'readLines', 'linesOf', 'mostLines', 'oneLine'],
  ...['useFileDrop', 'use-file-drop', 'onDrop', 'drop-zone', 'dropZone', 'holdTimer', 'isHeard'],
  ...['findByIdFront', 'idFront', 'id_front', 'idFronts', 'front-end', 'FrontEnd', 'frontEnd'],
  ...['measureFrontEnd', 'asksAgain', 'isHeld', 'messagesOffLine', 'retryLater', 'signs', 'onSigns'],
  ...['AuditHeads', 'FeedHeads', 'PlatformAuditHead', 'TicketEvaluations'],
])

/** Exceptions by file: lines of a text or a log, search words, names of the wire or the database. */
const ordinaryIn: Readonly<Record<string, RegExp>> = {
  line: /answer|unwanted|OperationCard|lab\/web\/samples|mail\/server\/render|existing|server\/(log|main)|launch|ImportDialog|imports|contacts\/import-row|vcard|bad-contact-rows|csv|read-lines|thread-rows|[Pp]alette|ShortcutSheet|skeleton|settings\.ts|scripts\/|db\/seed|bench\/run|campaigns\/(.*\/)?(mass|MassForm|queries-items)/,
  words: /document\.ts|flow\/repl(y|ies)|flows\/reply-forms|flows\/web\/Reply|OperationCard|settings\/web\/labels|hue/,
  evaluation: /ratings/,
  sealed: /providers\/encryption|auth\/server\/reset|identity-provider|mail\/server|webchat\/server\/queries/,
  drop: /backup\/restore|tickets\/web\/moving|kanban\/web|web\/board/,
  held: /lab\/(server\/faults|web\/trace)/,
  again: /kit\/provider|lab\/server\/from-phone/,
  wire: /passwords|reauthenticate|mask/,
  later: /demo\/parts/,
  place: /lab\/web\/trace|web\/shell\//,
  keep: /contacts\/(person|server\/merges|web\/MergeDialog)/,
}

/** The banned words in a name, however it is written. */
const bannedIn = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
    .map((part) => part.toLowerCase())
    .map((part) => (Object.hasOwn(banned, part.replace(/s$/, '')) ? part.replace(/s$/, '') : part))
    .filter((part) => Object.hasOwn(banned, part))

/** Returns a file's name and its exported names. */
function namesOf(file: string): string[] {
  const own = basename(file).replace(/(\.(api|wide))?(\.test|\.spec)?\.(ts|tsx|mjs)$/, '')
  const exported = /^export (?:async )?(?:function|const|class|let|type|interface) (\w+)/gm
  return [own, ...[...readFileSync(join(root, file), 'utf8').matchAll(exported)].map(([, name]) => name!)]
}

/** Returns the names of a module's variables, parameters, functions, types and properties of types. */
function localNames(file: string, text: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const isNamed =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isPropertySignature(node) ||
      ts.isMethodSignature(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node)
    if (isNamed && node.name && ts.isIdentifier(node.name)) names.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return names
}

/** Returns the classes of a style sheet, and the `data-` attributes of its selectors. */
const classNames = (sheet: string): string[] =>
  [...sheet.matchAll(/[.]([a-z][\w-]*)(?=[^;{}]*\{)|\[data-([\w-]+)/gi)].map(([, name, data]) => (name ?? data)!)

/** Senses in comments that only this product knew: hearing an event, a line to the server, a standing, what is sealed. */
const dialect =
  /\b(hears?|hearing) (of|an? event|every|that|when|what)\b|\b(the|a|this|no|dead|live) line (to the|is (cut|open|closed|back|down)|opens|closes|broke|brought|does)\b|\b(the|their|its|'s) standing\b|\bsealed\b(?!`)/i

const complaint = (file: string, name: string): string[] =>
  ordinary.has(name)
    ? []
    : bannedIn(name)
        .filter((word) => !ordinaryIn[word]?.test(file))
        .map((word) => `${name} in ${file}: “${word}” is ${banned[word]}`)

test.each(['tellRating', 'LineBar', 'kept-connection', 'PageHead', 'useEarly'])('%s is found', (name) => {
  expect(bannedIn(name)).not.toEqual([])
})

test.each(['pipeline', 'headline', 'keeper', 'aforementioned', 'replace'])('%s is let through', (name) => {
  expect(bannedIn(name)).toEqual([])
})

test('files and exported names use the words of the field', () => {
  const files = globSync('{src,test,db,bench,scripts}/**/*.{ts,tsx,mjs}', { cwd: root })
  expect(files.length).toBeGreaterThan(700)
  expect(files.flatMap((file) => namesOf(file).flatMap((name) => complaint(file, name)))).toEqual([])
})

/** Every module of the product with its comments and what it calls things. */
const modules = globSync('{src,db,bench,scripts}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.test\.tsx?$|^db\/types\.ts$/.test(file))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { file, names: localNames(file, text), comments: text.match(/^\s*(\/\*\*|\*|\/\/).*$/gm) ?? [] }
  })

test('so do variables, parameters, properties and comments', () => {
  const found = modules.flatMap(({ file, names, comments }) => [
    ...names.flatMap((name) => complaint(file, name)),
    ...comments.filter((comment) => dialect.test(comment)).map((comment) => `${file}: ${comment.trim()}`),
  ])
  expect(found).toEqual([])
})

test('so do the classes and data attributes of sheets', () => {
  const sheets = globSync('src/**/*.css', { cwd: root })
  expect(sheets.length).toBeGreaterThan(80)
  const found = sheets.flatMap((file) =>
    classNames(readFileSync(join(root, file), 'utf8')).flatMap((name) => complaint(file, name)),
  )
  expect(found).toEqual([])
})

test('a new local, class or comment of the dialect is found', () => {
  expect(localNames('a.ts', 'const f = (heard: number) => { const { line } = heard; return line }')).toEqual([
    'f',
    'heard',
    'line',
  ])
  expect(classNames(".foot > .wordy[data-place='x'] { margin: 0.5px; }")).toEqual(['foot', 'wordy', 'place'])
  expect('/** Hears every change of the standing. */').toMatch(dialect)
  expect('/** Which sounds are heard, and a line of text. */').not.toMatch(dialect)
})

/**
 * Words that comments use in place of the field's terms. A comment says “users”, “the caller”, “is stored in”, “is
 * notified”, “receives” instead; the count may only fall: lower the limit with what you have rewritten.
 */
const plain =
  /\b(somebody|nobody|whoever|whomever|stands?|stood|is told|are told|tells?|told|by which|of which|of whom|to whom|keepers?|hears?|lets? leave|is asked|are asked)\b/gi
const MOST_PLAIN = 60

test('comments use fewer words of our own than before', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  const counts = files.map((file) => {
    const comments = readFileSync(join(root, file), 'utf8').match(/^\s*(\/\*\*|\*|\/\/).*$/gm) ?? []
    return { file, words: comments.join('\n').match(plain)?.length ?? 0 }
  })
  const found = counts.reduce((sum, { words }) => sum + words, 0)
  const [most] = counts.toSorted((one, other) => other.words - one.words)
  expect(found, `the most are in ${most?.file}`).toBeLessThanOrEqual(MOST_PLAIN)
})

test('what is exempt is there', () => {
  const files = globSync('{src,test,db,bench,scripts}/**/*.{ts,tsx,mjs}', { cwd: root })
  const sheets = globSync('src/**/*.css', { cwd: root })
  const all = new Set([
    ...files.flatMap(namesOf),
    ...modules.flatMap(({ names }) => names),
    ...sheets.flatMap((file) => classNames(readFileSync(join(root, file), 'utf8'))),
  ])
  expect([...ordinary].filter((name) => !all.has(name))).toEqual([])
  const stale = Object.entries(ordinaryIn).filter(
    ([word, where]) =>
      !modules.some(({ file, names }) => where.test(file) && names.some((name) => bannedIn(name).includes(word))),
  )
  expect(stale).toEqual([])
})
