import { beforeEach, expect, test, vi } from 'vitest'
import '#server/features.ts'
import type { Profile } from '#domain/access/profiles.ts'
import { permissionsOf } from '#kit/permissions.ts'
import { groupsOf, mayEnter, menuOf, refuge, type Screen } from './screens.ts'

const screen = (path: string, more: Partial<Screen> = {}): Screen => ({
  path,
  title: path,
  can: 'session',
  load: async () => () => null,
  ...more,
})
const screens = [
  screen('/contatos', { can: 'contacts:read', menu: { group: 'Atendimento', order: 2 } }),
  screen('/atendimento', { can: 'tickets:read', menu: { group: 'Atendimento', order: 1 } }),
  screen('/filas', { can: 'queues:write', menu: { group: 'Gestão Comercial' } }),
  screen('/massa/texto', { menu: { group: 'Comunicação e MKT' } }),
  screen('/assinatura', { can: 'platform:read' }),
]

const as = (
  profile: Profile,
  menuVisibility: Record<string, boolean> = {},
  permissions = permissionsOf({ profile }),
) => {
  const kept: Record<string, unknown> = { usuario: { permissions }, menuVisibility }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === 'profile' ? profile : JSON.stringify(kept[key] ?? null)),
  })
}

beforeEach(() => vi.unstubAllGlobals())

test('the menu holds what the role may open, in the order of the table', () => {
  as('user')
  expect(menuOf(screens).map(({ group, screens: shown }) => [group, shown.map(({ path }) => path)])).toEqual([
    ['Atendimento', ['/atendimento', '/contatos']],
    ['Comunicação e MKT', ['/massa/texto']],
  ])
  as('admin')
  expect(menuOf(screens).map(({ group }) => group)).toEqual(['Atendimento', 'Comunicação e MKT', 'Gestão Comercial'])
})

test('hidden entries bind every role but the superadmin', () => {
  const massa = screens[3] as Screen
  as('admin', { massa: true })
  expect(mayEnter(massa)).toBe(false)
  as('superadmin', { massa: true })
  expect(mayEnter(massa)).toBe(true)
})

test('somebody refused goes to the contacts, or to the first screen that is open to them', () => {
  as('user')
  expect(refuge(screens)).toBe('/contatos')
  as('user', { contatos: true })
  expect(refuge(screens)).toBe('/atendimento')
  as('superadmin')
  expect(refuge(screens)).toBe('/assinatura')
  as('user', { contatos: true, atendimento: true, massa: true })
  expect(refuge(screens)).toBeNull()
})

test('what the server says decides, not the role that is kept beside it', () => {
  const queues = screens[2] as Screen
  as('user', {}, ['queues:write'])
  expect(mayEnter(queues)).toBe(true)
  as('admin', {}, [])
  expect(mayEnter(queues)).toBe(false)
})

test('a group of its own comes after the one that it names, or last', () => {
  const more = [
    screen('/amostras', { menu: { group: 'Amostras', after: 'Atendimento' } }),
    screen('/lotes', { menu: { group: 'Amostras' } }),
    screen('/fim', { menu: { group: 'Fim' } }),
  ]
  const groups = groupsOf([...screens, ...more])
  expect(groups.filter((group) => group === 'Amostras')).toHaveLength(1)
  expect(groups[groups.indexOf('Atendimento') + 1]).toBe('Amostras')
  expect(groups.at(-1)).toBe('Fim')
})
