import { expect, test } from 'vitest'
import '#server/features.ts'
import { type Permitted, whyHidden } from '#domain/access/permissions.ts'
import { includes, type Plan } from '#domain/access/plan.ts'
import { PROFILES, seesWide } from '#domain/access/profiles.ts'
import {
  assignableRoutes,
  can,
  PERMISSIONS,
  type Permission,
  permissionsOf,
  refusalCode,
  whyNot,
} from './permissions.ts'

const names = Object.keys(PERMISSIONS) as Permission[]

/** A plan with these types of channels. */
const only = (...channels: string[]): Plan => ({ channels, excluded: [] })

test.each<[Permitted, Permission, ReturnType<typeof whyNot>]>([
  [{ profile: 'user' }, 'tickets:read', null],
  [{ profile: 'user' }, 'tickets:all', 'profile'],
  [{ profile: 'user' }, 'contacts:write', null],
  [{ profile: 'user' }, 'contacts:delete', 'profile'],
  [{ profile: 'user' }, 'queues:read', null],
  [{ profile: 'user' }, 'queues:write', 'profile'],
  [{ profile: 'user' }, 'lab:use', 'profile'],
  [{ profile: 'user', restrictedUser: true }, 'contacts:read', 'restricted'],
  [{ profile: 'user', restrictedUser: true }, 'contacts:write', 'restricted'],
  [{ profile: 'user', restrictedUser: true }, 'contacts:delete', 'profile'],
  [{ profile: 'user', restrictedUser: true }, 'tickets:start', 'restricted'],
  [{ profile: 'user', restrictedUser: true }, 'tickets:write', null],
  [{ profile: 'super', restrictedUser: true }, 'lab:use', 'restricted'],
  [{ profile: 'admin', restrictedUser: true }, 'lab:use', 'restricted'],
  [{ profile: 'super' }, 'tickets:all', null],
  [{ profile: 'super', supervisorsLimited: true }, 'tickets:all', 'supervisorsLimited'],
  [{ profile: 'super', supervisorsLimited: true }, 'tags:write', null],
  [{ profile: 'super' }, 'users:write', 'profile'],
  [{ profile: 'super' }, 'settings:write', 'profile'],
  [{ profile: 'super' }, 'hours:write', null],
  [{ profile: 'user' }, 'hours:write', 'profile'],
  [{ profile: 'super', menuVisibility: { horarioAtendimento: true } }, 'hours:write', 'hiddenByTenant'],
  [{ profile: 'super' }, 'ratings:write', 'profile'],
  [{ profile: 'admin', supervisorsLimited: true }, 'tickets:all', null],
  [{ profile: 'admin' }, 'users:write', null],
  [{ profile: 'admin' }, 'platform:read', 'profile'],
  [{ profile: 'superadmin' }, 'platform:write', null],
  [{ profile: 'superadmin', supervisorsLimited: true }, 'tickets:all', null],
  // Support sees as an admin does, and may otherwise do what the role may.
  [{ profile: 'user', isSupport: true }, 'tickets:all', null],
  [{ profile: 'super', isSupport: true, supervisorsLimited: true }, 'tickets:all', null],
  [{ profile: 'user', isSupport: true }, 'users:write', 'profile'],
  // Hidden menu entries are forbidden as well (decision A1); names that other screens need remain.
  [{ profile: 'admin', menuVisibility: { etiquetas: true } }, 'tags:write', 'hiddenByTenant'],
  [{ profile: 'admin', menuVisibility: { etiquetas: true } }, 'tags:read', null],
  [{ profile: 'admin', menuVisibility: { etiquetas: false } }, 'tags:write', null],
  [{ profile: 'super', menuPermissions: { filas: true } }, 'queues:write', 'hiddenForPerson'],
  [{ profile: 'super', menuPermissions: { filas: true } }, 'queues:read', null],
  [{ profile: 'user', menuVisibility: { 'mensagens-rapidas': true } }, 'fast-replies:write', 'hiddenByTenant'],
  [{ profile: 'user', menuVisibility: { contatos: true } }, 'contacts:read', null],
  [{ profile: 'super', menuVisibility: { contatos: true } }, 'contacts:delete', 'hiddenByTenant'],
  [{ profile: 'admin', menuVisibility: { configuracoes: true } }, 'webchat:write', 'hiddenByTenant'],
  [{ profile: 'admin', menuVisibility: { configuracoesbloqueio: true } }, 'settings:write', null],
  [{ profile: 'user', menuVisibility: { atendimento: true } }, 'tickets:write', 'hiddenByTenant'],
  [{ profile: 'user', menuVisibility: { 'home-dashboard': true } }, 'dashboard:read', 'hiddenByTenant'],
  [{ profile: 'superadmin', menuVisibility: { etiquetas: true, filas: true } }, 'tags:write', null],
  [{ profile: 'user', menuVisibility: { etiquetas: true } }, 'tags:write', 'profile'],
  // A plan without a feature excludes all roles of the company, the superadmin included.
  [{ profile: 'admin', plan: only('webchat') }, 'webchat:write', null],
  [{ profile: 'admin', plan: only('lab') }, 'webchat:write', 'plan'],
  [{ profile: 'superadmin', plan: only() }, 'webchat:write', 'plan'],
  [{ profile: 'super', plan: only() }, 'webchat:write', 'profile'],
  [{ profile: 'super', plan: only() }, 'lab:use', 'plan'],
  [{ profile: 'super', plan: only() }, 'tags:write', null],
  [{ profile: 'admin', plan: only(), menuVisibility: { configuracoes: true } }, 'webchat:write', 'plan'],
])('%o %s: %s', (person, permission, reason) => {
  expect(whyNot(person, permission)).toBe(reason)
  expect(can(person, permission)).toBe(reason === null)
})

test('a plan without a list includes every channel type; a list includes what it names', () => {
  const all: Plan = { channels: null, excluded: [] }
  expect(includes(all, 'channel:telex')).toBe(true)
  expect(whyNot({ profile: 'admin', plan: all }, 'webchat:write')).toBeNull()
  expect(includes(only('webchat'), 'channel:webchat')).toBe(true)
  expect(includes(only('webchat'), 'channel:telex')).toBe(false)
})

test('a feature that is sold apart is included until a plan leaves it out, also one that comes later', () => {
  const without: Plan = { channels: [], excluded: ['ratings'] }
  expect(includes(only(), 'ratings')).toBe(true)
  expect(includes(without, 'ratings')).toBe(false)
  expect(includes(without, 'one-of-tomorrow')).toBe(true)
  expect(whyNot({ profile: 'admin', plan: without }, 'ratings:write')).toBe('plan')
  expect(refusalCode({ profile: 'admin', plan: without }, 'ratings:write')).toBe('ERR_FEATURE_NOT_ALLOWED')
})

test('who lacks something because of the plan is told so', () => {
  const without = { profile: 'admin', plan: only() } as const
  expect(refusalCode(without, 'webchat:write')).toBe('ERR_CHANNEL_NOT_ALLOWED')
  expect(refusalCode({ ...without, profile: 'user' }, 'webchat:write')).toBe('ERR_NO_PERMISSION')
  expect(refusalCode({ profile: 'admin' }, 'webchat:write')).toBeNull()
})

test('a screen is hidden by the company or for the person, never from the superadmin', () => {
  const hidden = { menuVisibility: { massa: true }, menuPermissions: { grupo: true } }
  expect(whyHidden({ profile: 'admin', ...hidden }, '/massa/texto')).toBe('hiddenByTenant')
  expect(whyHidden({ profile: 'admin', ...hidden }, '/grupo')).toBe('hiddenForPerson')
  expect(whyHidden({ profile: 'admin', ...hidden }, '/massagista')).toBeNull()
  expect(whyHidden({ profile: 'superadmin', ...hidden }, '/massa')).toBeNull()
})

test('the superadmin has every permission, and alone those of the installation', () => {
  expect(permissionsOf({ profile: 'superadmin' })).toEqual(names)
  const others = names.filter((name) => !can({ profile: 'admin' }, name))
  expect(others).toEqual(['platform:read', 'platform:write'])
})

test('an admin has whatever a supervisor has, a supervisor whatever a user has', () => {
  for (const name of names) {
    if (can({ profile: 'user' }, name)) expect(can({ profile: 'super' }, name), name).toBe(true)
    if (can({ profile: 'super' }, name)) expect(can({ profile: 'admin' }, name), name).toBe(true)
  }
})

test('hiding, restricting and limiting only ever take away', () => {
  const routes = ['home-dashboard', 'atendimento', 'contatos', 'filas', 'etiquetas', 'sessoes', 'configuracoes']
  for (const profile of PROFILES) {
    for (let n = 0; n < 2 ** routes.length; n++) {
      const menuVisibility = Object.fromEntries(routes.map((route, bit) => [route, Boolean(n & (1 << bit))]))
      const less = { profile, restrictedUser: n % 2 === 0, supervisorsLimited: n % 3 === 0, menuVisibility }
      for (const name of permissionsOf(less)) expect(can({ profile }, name), `${profile} ${name}`).toBe(true)
    }
  }
})

test('seeing wide and the permission for it are the same rule', () => {
  for (const profile of PROFILES) {
    for (const supervisorsLimited of [true, false]) {
      for (const isSupport of [true, false]) {
        const person = { profile, isSupport, supervisorsLimited }
        expect(can(person, 'tickets:all'), JSON.stringify(person)).toBe(seesWide(person, supervisorsLimited))
      }
    }
  }
})

test('users may only be given the six screens of their group, leads twenty-one', () => {
  expect(assignableRoutes('user')).toEqual(['chat-privado', 'kanban', 'tarefas', 'campanhas', 'massa', 'grupo'])
  for (const profile of ['super', 'admin'] as const) {
    expect(assignableRoutes(profile)).toHaveLength(21)
    expect(assignableRoutes(profile)).toEqual(expect.arrayContaining([...assignableRoutes('user'), 'filas', 'sessoes']))
  }
})
