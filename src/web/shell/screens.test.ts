import { beforeEach, expect, test, vi } from 'vitest'
import '#server/features.ts'
import type { Profile } from '#domain/access/profiles.ts'
import { permissionsOf } from '#kit/permissions.ts'
import { listOf, listScreens, mayEnter, menuOf, placeAt, refuge, type Screen } from './screens.ts'

const screen = (path: string, more: Partial<Screen> = {}): Screen => ({
  path,
  title: path,
  can: 'session',
  load: async () => () => null,
  ...more,
})
const screens = [
  screen('/contatos', { can: 'contacts:read', menu: { place: 'contacts' } }),
  screen('/atendimento', { can: 'tickets:read', menu: { place: 'attendance' } }),
  screen('/filas', { can: 'queues:write', menu: { place: 'settings', group: 'Equipe e acesso' } }),
  screen('/massa/texto', { menu: { place: 'agenda', order: 2 } }),
  screen('/massa/audio', { menu: { place: 'agenda', order: 1 } }),
  screen('/assinatura', { can: 'platform:read' }),
  screen('/massa/lista'),
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

test('the menu holds the places of which the role may open a screen, each leading to its first one', () => {
  const menu = () => menuOf(screens).map(({ id, first }) => [id, first.path])
  as('user')
  expect(menu()).toEqual([
    ['attendance', '/atendimento'],
    ['contacts', '/contatos'],
    ['agenda', '/massa/audio'],
  ])
  as('admin')
  expect(menu().at(-1)).toEqual(['settings', '/filas'])
  as('admin', { configuracoes: true })
  expect(menu().at(-1)).toEqual(['settings', '/filas'])
  as('admin', { filas: true })
  expect(menu().at(-1)).toEqual(['agenda', '/massa/audio'])
})

test('an address is in the place of its screen, or of a screen beside it', () => {
  listScreens(screens)
  expect(['/massa/texto', '/massa/lista', '/assinatura', '/nada'].map(placeAt)).toEqual([
    'agenda',
    'agenda',
    undefined,
    undefined,
  ])
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
  as('superadmin')
  const more = [
    screen('/amostras', { menu: { place: 'settings', group: 'Amostras', after: 'Equipe e acesso' } }),
    screen('/fim', { menu: { place: 'settings', group: 'Fim' } }),
    screen('/lotes', { menu: { place: 'settings', group: 'Amostras' } }),
  ]
  expect(listOf([...screens, ...more], 'settings').map((one) => [one.group, one.screens.length])).toEqual([
    ['Equipe e acesso', 1],
    ['Amostras', 2],
    ['Fim', 1],
  ])
})
