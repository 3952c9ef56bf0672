import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FlowDocument } from '#domain/flow/document.ts'
import { changeNode } from '#domain/flow/edit.ts'

/** Server with one draft, which accepts writes at its current revision only. */
let server: { flow: FlowDocument; revision: number; isDown: boolean; isFull: boolean; puts: { revision: number }[] }
const named = (name: string) => (document: FlowDocument) => changeNode(document, 'a', (step) => ({ ...step, name }))
const nameIn = (document: FlowDocument) => (document['nodeList'] as { name: string }[])[0]!.name
const begun = { nodeList: [{ id: 'a', type: 'node', name: 'Um', interactions: [], conditions: [] }], lineList: [] }
const detail = () => ({ id: 7, flow: server.flow, revision: server.revision, version: null, trial: null, problems: [] })
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

async function answer(_: string, { method, body }: RequestInit): Promise<Response> {
  if (server.isDown) throw new TypeError('no network')
  if (server.isFull) return json(400, { error: 'ERR_VALIDATION', details: { flow: 'O fluxo é grande demais.' } })
  if (method !== 'PUT') return json(200, detail())
  const put = JSON.parse(String(body)) as { flow: FlowDocument; revision: number }
  server.puts.push(put)
  if (put.revision !== server.revision) return json(409, { error: 'ERR_FLOW_CHANGED', details: {} })
  Object.assign(server, { flow: put.flow, revision: put.revision + 1 })
  return json(200, detail())
}

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  server = { flow: begun, revision: 3, isDown: false, isFull: false, puts: [] }
  const values = new Map([['token', 'x']])
  vi.stubGlobal('localStorage', { getItem: (key: string) => values.get(key) ?? null, setItem() {}, removeItem() {} })
  vi.stubGlobal('location', { pathname: '/chat-flow/builder', search: '?id=7' })
  vi.stubGlobal('fetch', answer)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens the draft as the builder does. */
async function opened() {
  const { createDraft } = await import('./draft.ts')
  const { openForm, hasUnsaved } = await import('#web/unsaved.ts')
  const draft = createDraft(detail() as never)
  const shown = () => nameIn(draft.state.get().document)
  const saving = () => draft.state.get().saving
  return { draft, shown, saving, openForm, hasUnsaved }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
/** Another editor writes a draft. */
const theirs = (name: string) =>
  Object.assign(server, { flow: named(name)(server.flow), revision: server.revision + 1 })

test('what is written is saved once it pauses, over the revision that was read; until then a tab is not closed unasked', async () => {
  const { draft, saving, hasUnsaved, openForm } = await opened()
  draft.edit(named('Dois'), 'name')
  await pass(600)
  draft.edit(named('Três'), 'name')
  await pass(600)
  expect([saving(), server.puts.length, hasUnsaved(), openForm() !== undefined]).toEqual(['waiting', 0, true, false])
  await pass(100)
  expect(server.puts.map(({ revision }) => revision)).toEqual([3])
  expect([nameIn(server.flow), saving(), draft.state.get().detail.revision, hasUnsaved()]).toEqual([
    ...['Três', 'saved', 4, false],
  ])
  draft.edit(named('Quatro'))
  await pass(700)
  expect(server.puts.map(({ revision }) => revision)).toEqual([3, 4])
  // Closing before the debounce is over loses nothing.
  draft.edit(named('Cinco'))
  draft.close()
  await pass(0)
  expect([nameIn(server.flow), hasUnsaved()]).toEqual(['Cinco', false])
})

test('edits are undone and done again, those of one field that follow at once together, a hundred of them', async () => {
  const { draft, shown } = await opened()
  for (const name of ['Um a', 'Um ab', 'Um abc']) draft.edit(named(name), 'name')
  await pass(1000)
  draft.edit(named('Outro'), 'name')
  draft.edit(named('Mais'), 'text')
  const back = Array.from({ length: 4 }, () => {
    draft.undo()
    return shown()
  })
  expect(back).toEqual(['Outro', 'Um abc', 'Um', 'Um'])
  draft.redo()
  draft.redo()
  expect(shown()).toBe('Outro')
  draft.edit(named('Novo'))
  draft.redo()
  expect(shown()).toBe('Novo')
  for (let n = 0; n < 150; n++) draft.edit(named(`n${n}`))
  expect(draft.state.get().past).toHaveLength(100)
})

test('what cannot be saved is tried again, and not left unasked', async () => {
  const { draft, saving, openForm } = await opened()
  server.isDown = true
  draft.edit(named('Dois'))
  await pass(700)
  expect([saving(), draft.state.get().error, openForm() !== undefined]).toEqual([
    ...['failed', expect.stringContaining('Sem resposta do servidor'), true],
  ])
  expect(await draft.flush()).toBe(false)
  Object.assign(server, { isDown: false, isFull: true })
  await pass(5000)
  expect([saving(), draft.state.get().error]).toEqual(['failed', 'O fluxo é grande demais.'])
  server.isFull = false
  await pass(5000)
  expect([saving(), nameIn(server.flow), openForm() !== undefined]).toEqual(['saved', 'Dois', false])
})

test('over what somebody else has written nothing is sent until a person chooses: theirs, which can be undone, or one’s own', async () => {
  const { draft, shown, saving, openForm } = await opened()
  theirs('Delas')
  draft.edit(named('Meu'))
  await pass(700)
  expect([saving(), shown(), openForm() !== undefined]).toEqual(['changed', 'Meu', true])
  draft.edit(named('Meu também'))
  await pass(10_000)
  expect([await draft.flush(), saving(), server.puts.length, nameIn(server.flow)]).toEqual([
    ...[false, 'changed', 1, 'Delas'],
  ])
  await draft.takeTheirs()
  expect([saving(), shown(), openForm() !== undefined]).toEqual(['saved', 'Delas', false])
  draft.undo()
  expect(shown()).toBe('Meu também')
  theirs('Delas de novo')
  await pass(700)
  expect(saving()).toBe('changed')
  await draft.saveMine()
  expect([saving(), nameIn(server.flow)]).toEqual(['saved', 'Meu também'])
})

test('a publication that somebody else’s draft has overtaken asks as a saving does', async () => {
  const { draft, saving } = await opened()
  const { apiError } = await import('#web/api.ts')
  expect([draft.isOvertaken(apiError('ERR_FLOW_NOT_READY', 422)), saving()]).toEqual([false, 'saved'])
  expect([draft.isOvertaken(apiError('ERR_FLOW_CHANGED', 409)), saving()]).toEqual([true, 'changed'])
})
