import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loginErrors } from '#features/auth/web/login-errors.ts'
import { errorCatalogue } from '#kit/errors.ts'
import { allRoutes } from '#server/app.ts'
import { features } from '#server/features.ts'
import { webFeatures } from '#web/features.tsx'

const root = join(import.meta.dirname, '..')

/** What is written in a file of that name in every feature's folder. */
async function written(name: string): Promise<object[]> {
  const files = globSync(`src/features/*/${name}.ts`, { cwd: root }).sort()
  expect(files.length).toBeGreaterThan(0)
  return Promise.all(files.map(async (file) => Object.values<object>(await import(join(root, file)))[0] as object))
}

const codesIn = (parts: readonly (object | undefined)[]) => new Set(parts.flatMap((part) => Object.keys(part ?? {})))

test('the errors that a feature has written down are known to the server and to the browser', async () => {
  const parts = await written('errors')
  for (const list of [features, webFeatures])
    expect(new Set(list.flatMap(({ errors }) => (errors ? [errors] : [])))).toEqual(new Set(parts))
})

test('every code that an operation or a constraint names is in the catalogue', () => {
  const named = [
    ...allRoutes().flatMap(({ op }) => op.errors ?? []),
    ...features.flatMap(({ constraints }) => Object.values(constraints ?? {})),
  ]
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((code) => !(code in errorCatalogue))).toEqual([])
})

test('the login page knows the sentences of whatever may be asked before one is in', async () => {
  const known = codesIn(loginErrors)
  const ofFeatures = codesIn(await written('errors'))
  const asked = allRoutes().filter(({ op }) => op.can === 'public' && !op.path.startsWith('/webchat'))
  const codes = asked.flatMap(({ op }) => op.errors ?? [])
  expect(codes).toContain('ERR_A2F_INVALID')
  expect(codes.filter((code) => ofFeatures.has(code) && !known.has(code))).toEqual([])
})

test('the platform fails with codes of its own: a feature may be left out', async () => {
  const ofFeatures = [...codesIn(await written('errors'))]
  const files = globSync('src/{server,kit,web}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] })
  const foreign = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return ofFeatures.filter((code) => text.includes(`'${code}'`)).map((code) => `${file}: ${code}`)
  })
  expect(foreign).toEqual([])
})
