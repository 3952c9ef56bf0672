import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  clearIdentity,
  clearSession,
  type LoginAnswer,
  ownPath,
  stored,
  storeLogin,
  storePermissions,
  viewer,
} from './session.ts'

const answer: LoginAnswer = {
  token: 'a.b.c',
  username: 'Ana Lima',
  email: 'ana@loja.dev',
  profile: 'admin',
  userId: 7,
  tenantId: 3,
  queues: [{ id: 1, queue: 'Vendas' }],
  blockWavoip: true,
  whatsappAllowed: [{ id: 4, name: 'Loja' }],
  configs: { filtrosAtendimento: { tab: 'pending' }, isDark: null },
  settings: { nullTickets: 'enabled', supervisorAdmin: 'enabled', showGroupsForAll: 'enabled' },
  menuVisibility: { massa: true },
}

/** Stored keys that §3 of the specification names, with their values after a login. */
const kept: Record<string, unknown> = {
  token: 'a.b.c',
  username: 'Ana Lima',
  profile: 'admin',
  userId: 7,
  usuario: expect.objectContaining({ userId: 7, email: 'ana@loja.dev', tenantId: 3 }),
  queues: [{ id: 1, queue: 'Vendas' }],
  bloquearWavoip: true,
  whatsappAllowed: [{ id: 4, name: 'Loja' }],
  filtrosAtendimento: { tab: 'pending' },
  configuracoes: expect.arrayContaining([{ key: 'nullTickets', value: 'enabled' }]),
  filasCadastradas: [],
  nullticket: 'enabled',
  supervisorAdmin: 'enabled',
  tagFiltro: [],
  kanbanFiltro: [],
  mostrarGruposParaTodos: 'enabled',
  mostrarFechadoParaTodos: 'disabled',
  dashboardChartPanels: [],
  storedColors: [],
  menuVisibility: { massa: true },
}

describe('the browser’s storage', () => {
  const values = new Map<string, string>()
  const ours = () => [...values.keys()].filter((key) => key !== 'mantine-color-scheme-value').sort()
  beforeEach(() => {
    values.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
      removeItem: (key: string) => values.delete(key),
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('keeps after a login exactly what the specification names', () => {
    storeLogin(answer)
    expect(ours()).toEqual(Object.keys(kept).sort())
  })

  it.each(Object.entries(kept))('keeps %s', (key, value) => {
    storeLogin(answer)
    expect(stored(key as 'token')).toEqual(value)
  })

  it('never keeps the token beside its own key', () => {
    storeLogin(answer)
    expect([...values].filter(([, value]) => value.includes('a.b.c')).map(([key]) => key)).toEqual(['token'])
  })

  it('keeps nothing of the person before', () => {
    storeLogin({ ...answer, configs: { isDark: true }, menuVisibility: { grupo: true } })
    storeLogin({ ...answer, configs: { isDark: null }, menuVisibility: {} })
    expect([stored('menuVisibility'), stored('filtrosAtendimento')]).toEqual([{}, null])
  })

  it('follows a changed standing without a new login', () => {
    storeLogin(answer)
    storePermissions('user', { queues: [], settings: { showClosedForAll: 'enabled' }, menuVisibility: {} })
    expect([viewer().profile, stored('mostrarFechadoParaTodos'), stored('nullticket')]).toEqual([
      'user',
      'enabled',
      'disabled',
    ])
  })

  it('takes somebody without a known profile for a user', () => {
    expect(viewer().profile).toBe('user')
    values.set('profile', 'owner')
    expect(viewer().profile).toBe('user')
  })

  it('loses five keys to a refresh that failed, and all of them at logout', () => {
    storeLogin(answer)
    values.set('guiche.draft.7.1', '{"body":"Oi"}')
    clearIdentity()
    const gone = ['token', 'username', 'profile', 'userId', 'dashboardChartPanels']
    const left = Object.keys(kept).filter((key) => !gone.includes(key))
    expect(ours()).toEqual(['guiche.draft.7.1', ...left].sort())
    clearSession()
    expect(ours()).toEqual(['guiche.draft.7.1'])
  })
})

it.each(['/', '/atendimento/7?timestamp=1', '/home#x', '/a//b', '/%2F%2Fmal.test'])('%s is a way back', (path) => {
  expect(ownPath(path)).toBe(path)
})

it.each([
  null,
  '',
  '//mal.test',
  '//mal.test/home',
  '///mal.test',
  '/\\mal.test',
  '\\\\mal.test',
  '/\t/mal.test',
  '/\n/mal.test',
  'https://mal.test/',
  'javascript:alert(1)',
  'data:text/html,x',
  'home',
])('%j leads elsewhere', (path) => {
  expect(ownPath(path)).toBeNull()
})
