import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PermissionSpec } from '#domain/access/permissions.ts'
import { featureOf } from '#domain/access/plan.ts'
import { errorCatalogue } from '#kit/errors.ts'
import { PERMISSIONS } from '#kit/permissions.ts'
import { PLAN_FEATURES } from '#kit/plan-features.ts'
import { channelTypes } from '#providers/channels/configs.ts'
import { allRoutes } from '#server/app.ts'
import { features } from '#server/features.ts'
import { screens } from '#web/features.tsx'
import { placeIds, places } from '#web/shell/places.ts'
import { entryName, groupsOf } from '#web/shell/screens.ts'

const root = join(import.meta.dirname, '..')

/** Returns the export `name` of that file in every feature's folder, where the browser's build finds it too. */
async function written(name: string): Promise<unknown[]> {
  const files = globSync(`src/features/*/${name}.ts`, { cwd: root }).sort()
  expect(files.length).toBeGreaterThan(0)
  return Promise.all(files.map(async (file) => ((await import(join(root, file))) as Record<string, unknown>)[name]))
}

test.each(['errors', 'permissions', 'settings', 'plan'] as const)(
  'the %s that a feature has written down are registered',
  async (name) => {
    const registered = features.map((feature) => feature[name]).filter(Boolean)
    expect(new Set(registered)).toEqual(new Set(await written(name)))
  },
)

test('every code that an operation or a constraint names is in the catalogue', () => {
  const named = [
    ...allRoutes().flatMap(({ op }) => op.errors ?? []),
    ...features.flatMap(({ constraints }) => Object.values(constraints ?? {})),
  ]
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((code) => !(code in errorCatalogue))).toEqual([])
})

test('every permission that an operation or a screen asks for exists', () => {
  const asked = [...allRoutes().map(({ op }) => op.can), ...screens.map(({ can }) => can)]
  const names = new Set(asked.filter((can) => can !== 'public' && can !== 'session'))
  expect(names.size).toBeGreaterThan(20)
  expect([...names].filter((name) => !(name in PERMISSIONS))).toEqual([])
})

test('every feature of a plan that a permission asks for is a type of channel, or written down; and each is asked for', () => {
  const sold = [...channelTypes().map(({ type }) => featureOf(type)), ...Object.keys(PLAN_FEATURES)]
  const asked = Object.values<PermissionSpec>(PERMISSIONS).flatMap(({ feature }) => feature ?? [])
  expect(asked.filter((feature) => !sold.includes(feature))).toEqual([])
  expect(Object.keys(PLAN_FEATURES)).toContain('ratings')
  expect(Object.keys(PLAN_FEATURES).filter((feature) => !asked.includes(feature))).toEqual([])
})

test('the menu has at most fourteen places, and no two entries share icon and name', () => {
  const entries = screens.filter(({ menu }) => menu)
  expect(entries.length).toBeGreaterThan(15)
  expect(placeIds.length).toBeLessThanOrEqual(14)
  for (const all of [
    placeIds.map((id) => places[id]),
    entries.map((one) => ({ name: entryName(one), icon: one.icon })),
  ]) {
    expect(all.every(({ icon }) => icon)).toBe(true)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  }
})

test('each screen is reached by keys of its own', () => {
  const keys = screens.flatMap(({ shortcut }) => shortcut ?? [])
  expect(keys.length).toBeGreaterThan(3)
  expect(new Set(keys).size).toBe(keys.length)
})

test('an entry of a list is in a group that the place has, or that says after which it comes', () => {
  const strays = screens.filter(
    ({ menu }) => menu && ![menu.group ?? '', menu.after].some((group) => groupsOf([], menu.place).includes(group!)),
  )
  expect(strays).toEqual([])
})

test('an address that leads to a screen is none of another', () => {
  const addresses = screens.flatMap(({ path, redirects = {} }) => [path, ...Object.keys(redirects)])
  expect(addresses).toContain('/avaliacoes')
  expect(new Set(addresses).size).toBe(addresses.length)
})

test('the platform fails with codes of its own: a feature may be left out', async () => {
  const ofFeatures = (await written('errors')).flatMap((part) => Object.keys(part as object))
  const files = globSync('src/{server,kit,web}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] })
  const foreign = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return ofFeatures.filter((code) => text.includes(`'${code}'`)).map((code) => `${file}: ${code}`)
  })
  expect(foreign).toEqual([])
})
