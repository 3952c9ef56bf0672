import { expect, test } from 'vitest'
import { assignableOf, denialTarget, isRouteHidden, landing, mayOpen, mergeMenus, rootTarget } from './menu.ts'

test.each([
  [{ massa: true }, '/massa', true],
  [{ massa: true }, '/massa/texto', true],
  [{ massa: true }, '/massa/?x=1', true],
  [{ massa: true }, '/massagista', false],
  [{ massa: false }, '/massa', false],
  [{}, '/massa', false],
  [{ configuracoes: true }, '/configuracoes/geral', true],
  [{ configuracoes: true }, '/configuracoesbloqueio', false],
  [{ 'atendimento/contatos': true }, '/atendimento/contatos', true],
  [{ 'atendimento/contatos': true }, '/atendimento/12', false],
  [{ horarioAtendimento: true }, '/horario-atendimento', true],
  [{ 'home-dashboard': true }, '/home', true],
  [{ kanban: true }, '/funil/dashboard', true],
  [{ funil: true }, '/kanban', false],
  [{ 'contatos-campanha': true }, '/campanhas/12', true],
  [{ 'contatos-campanha': true }, '/campanhas', false],
  [{ 'atendimentos-por-parametros': true }, '/relatorios/atendimentos-por-parametros', true],
  [{ 'atendimentos-por-parametros': true }, '/relatorios', false],
  [{ '': true }, '/contatos', false],
  [{ contatos: true }, '/contatos#topo', true],
])('%o at %s: hidden %s', (visibility, path, hidden) => {
  expect(isRouteHidden(visibility, path)).toBe(hidden)
})

test('hiding binds every role but the superadmin', () => {
  expect(mayOpen('admin', { massa: true }, '/massa')).toBe(false)
  expect(mayOpen('superadmin', { massa: true }, '/massa')).toBe(true)
})

test('landings', () => {
  expect([landing('user'), landing('super'), landing('admin'), landing('superadmin')]).toEqual([
    '/atendimento',
    '/home',
    '/home',
    '/assinatura',
  ])
  expect([rootTarget('user'), rootTarget('admin'), rootTarget('superadmin')]).toEqual([
    '/contatos',
    '/contatos',
    '/assinatura',
  ])
})

test('a denial leads to the contacts, or to the first screen that is left', () => {
  const screens = ['/atendimento', '/tarefas']
  expect(denialTarget('user', { massa: true }, screens)).toBe('/contatos')
  expect(denialTarget('user', { contatos: true, atendimento: true }, screens)).toBe('/tarefas')
  expect(denialTarget('user', { contatos: true, atendimento: true, tarefas: true }, screens)).toBeNull()
})

test('what the company hides stays hidden, whatever a person is given; a person may have less', () => {
  expect(mergeMenus({ massa: true, filas: false }, { massa: false, filas: true, tarefas: false })).toEqual({
    massa: true,
    filas: true,
  })
})

test('what may be taken from one person is said by permissions, or known on the wire before it has a screen', () => {
  const permissions = [
    { screens: ['/horario-atendimento'], assignable: 'leads' },
    { screens: ['/massa/texto'], assignable: 'everybody' },
    { screens: ['/configuracoes'] },
  ] as const
  const users = ['massa']
  expect(assignableOf(permissions, 'user')).toEqual(users)
  const leads = assignableOf(permissions, 'super')
  expect(leads).toEqual(expect.arrayContaining([...users, 'sessoes', 'horarioAtendimento']))
  expect(leads).toHaveLength(4)
})
