import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const STATEMENT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

/**
 * Returns every package that the files load at their start, each with the files that lead to it; dynamic imports are not
 * followed.
 */
function packagesOf(starts: readonly string[]): Map<string, string[]> {
  const packages = new Map<string, string[]>()
  const ways = new Map(starts.map((start) => [join(root, start), [start]]))
  for (const [file, way] of ways)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(STATEMENT)) {
      const path = name!.startsWith('.')
        ? join(dirname(file), name!)
        : name!.startsWith('#')
          ? join(root, name!.startsWith('#db/') ? '' : 'src', name!.slice(1))
          : null
      if (path === null) packages.set(name!, way)
      else if (!ways.has(path)) ways.set(path, [...way, path.slice(root.length + 1)])
    }
  return packages
}

test('what few need is loaded when it is used, not with the product', () => {
  const packages = packagesOf(['src/server/main.ts', 'src/server/app.ts', 'src/server/features.ts'])
  expect([...packages.keys()]).toEqual(expect.arrayContaining(['fastify', 'pg', 'kysely', 'zod', 'socket.io']))
  const late =
    /^(node:http$|@simplewebauthn\/server|sharp|htmlparser2|undici|socks|baileys|grammy|mediabunny|libopus-wasm|mpg123-decoder|libphonenumber-js|file-type|nodemailer|imapflow|postal-mime|sanitize-html|otplib|openid-client|crypto-js$)/
  expect([...packages].filter(([name]) => late.test(name))).toEqual([])
})

test('the product has them', () => {
  for (const name of [
    '@simplewebauthn/server',
    'sharp',
    'libphonenumber-js',
    'file-type',
    'nodemailer',
    'openid-client',
  ])
    expect(existsSync(join(root, 'node_modules', name)), name).toBe(true)
})
