import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words that only this product used for what the field has a name for, with that name (docs/glossary.md). */
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

/** Ordinary senses, and names that others gave: the wire's, the database's, the front end's. */
const ordinary = new Set([
  ...['withoutLineBreaks', 'Line', 'useFileDrop', 'use-file-drop', 'findByIdFront'],
  ...['front-end', 'FrontEnd', 'measureFrontEnd', 'PlatformAuditHead'],
])

/** The banned words in a name, however it is written. */
const bannedIn = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase()).filter((part) => part in banned)

/** The names that a file gives to others: its own, and those that it exports. */
function namesOf(file: string): string[] {
  const own = basename(file).replace(/(\.(api|wide))?(\.test|\.spec)?\.(ts|tsx|mjs)$/, '')
  const exported = /^export (?:async )?(?:function|const|class|let|type|interface) (\w+)/gm
  return [own, ...[...readFileSync(join(root, file), 'utf8').matchAll(exported)].map(([, name]) => name!)]
}

test.each(['tellRating', 'LineBar', 'kept-connection', 'PageHead', 'useEarly'])('%s is found', (name) => {
  expect(bannedIn(name)).not.toEqual([])
})

test.each(['pipeline', 'headline', 'keeper', 'aforementioned', 'replace'])('%s is let through', (name) => {
  expect(bannedIn(name)).toEqual([])
})

test('files and exported names use the words of the field', () => {
  const files = globSync('{src,test,db,bench,scripts}/**/*.{ts,tsx,mjs}', { cwd: root })
  expect(files.length).toBeGreaterThan(700)
  const found = files.flatMap((file) =>
    namesOf(file)
      .filter((name) => !ordinary.has(name))
      .flatMap((name) => bannedIn(name).map((word) => `${name} in ${file}: “${word}” is ${banned[word]}`)),
  )
  expect(found).toEqual([])
})

test('what is exempt is there', () => {
  const files = globSync('{src,test,db,bench,scripts}/**/*.{ts,tsx,mjs}', { cwd: root })
  const all = new Set(files.flatMap(namesOf))
  expect([...ordinary].filter((name) => !all.has(name))).toEqual([])
})
