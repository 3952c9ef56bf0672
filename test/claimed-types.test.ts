import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimedTypes } from './claimed-types.ts'

const root = join(import.meta.dirname, '..')

/** Files that read data written by the product itself. */
const OWN = [
  // A file of the product, or of a package.
  ...['src/server/version.ts', 'src/server/postgres/binaries.ts', 'src/server/backup/sections.ts'],
  // Sealed by the product.
  ...['src/features/auth/server/oidc.ts', 'src/features/auth/server/reset.ts', 'src/server/http/device.ts'],
  ...['src/features/ledger/server/media/remote.ts', 'src/features/mail/server/send.ts'],
  ...['src/features/provider-signup/server/routes.ts', 'src/features/push/server/index.ts'],
  'src/features/push/server/send.ts',
  // Its database, where a schema stood before it.
  ...['src/server/realtime/bus.ts', 'src/features/contacts/server/changes.ts', 'src/features/mail/server/settings.ts'],
  ...['src/features/ratings/server/config.ts', 'src/features/webchat/server/visitors.ts'],
  // Stored state of a linked device.
  ...['src/providers/channels/baileys/history.ts', 'src/providers/channels/baileys/keys.ts'],
]

test.each([
  'const call = JSON.parse(body) as Call',
  'const call = (await answer.json()) as Call',
  'const call = parseJson(body) as readonly Call[]',
  'const call = body ? (JSON.parse(body) as Call) : null',
  'const { id }: Call = await answer.json()',
  'const { id } = JSON.parse(body)',
  'const call: Call = JSON.parse(body)',
  'const id = JSON.parse(body).id',
  'const ids = [JSON.parse(body) as Call].flat()',
])('a claim about parsed JSON is found: %s', (source) => expect(claimedTypes('a.ts', source)).toEqual([1]))

test.each([
  'const call = JSON.parse(body) as unknown',
  'const call: unknown = parseJson(body)',
  'const call = readOutside(schema, parseJson(body))',
  'const call = schema.parse(JSON.parse(body))',
  'return JSON.parse(body)',
])('what claims nothing is left alone: %s', (source) => expect(claimedTypes('a.ts', source)).toEqual([]))

test('no module of the server claims what parsed JSON is', () => {
  // Code in the browser reads its own server.
  const ours = ['**/*.test.*', 'src/{web,widget,worker}/**', 'src/features/*/web/**']
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ours })
  expect(files.length).toBeGreaterThan(900)
  const claimed = new Map<string, number[]>()
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    const lines = /JSON\.parse|parseJson|\.json\(/.test(source) ? claimedTypes(file, source) : []
    if (lines.length > 0) claimed.set(file, lines)
  }
  const unexpected = [...claimed].filter(([file]) => !OWN.includes(file))
  expect(unexpected.map(([file, lines]) => `${file}:${lines.join(',')}`)).toEqual([])
  expect(OWN.filter((file) => !claimed.has(file))).toEqual([])
})
