import { defaultParseSearch } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstPageQueryOf, readAddress, searchOf } from '#features/tickets/web/lists/list-filter.ts'
import { firstReads, screenReads } from './preload.ts'

const values = new Map<string, string>()
const reached: string[] = []

beforeEach(() => {
  vi.resetModules()
  values.clear()
  reached.length = 0
  vi.stubGlobal('localStorage', { getItem: (key: string) => values.get(key) ?? null, setItem: () => {} })
  vi.stubGlobal('fetch', async (address: string) => {
    reached.push(address)
    return new Response('{"tickets":[],"nextCursor":null}', { headers: { 'content-type': 'application/json' } })
  })
})
afterEach(() => vi.unstubAllGlobals())

const searches = [
  '',
  '?showAll=true',
  '?tab=pending&isGroup=true&scope=waiting',
  '?queuesIds=%5B3%2C5%5D&tags=%5B2%5D&selectedUser=9&withUnreadMessages=true',
  '?search=2026112012',
  '?search=%22Ana%20Souza%22',
  '?search=Jos%C3%A9',
  '?timestamp=1700000000000',
]

test.each(searches)('the list asks for exactly what the page asked early (%s)', async (search) => {
  values.set('filtrosAtendimento', JSON.stringify({ tab: 'closed', queuesIds: [4] }))
  const [early] = firstReads('/atendimento/chats/', search)
  const { prefetchList } = await import('#features/tickets/web/lists/lists.ts')
  await prefetchList(readAddress(defaultParseSearch(search), JSON.parse(values.get('filtrosAtendimento') ?? '')))
  expect(reached).toEqual([`/api${early}`])
})

test.each(searches)('an address is read as the router reads it (%s)', (search) => {
  expect(firstPageQueryOf(readAddress(searchOf(search), null))).toEqual(
    firstPageQueryOf(readAddress(defaultParseSearch(search), null)),
  )
})

test('the conversation that is open is asked for too, unless the address names a moment of it', () => {
  expect(firstReads('/atendimento/12', '').slice(1)).toEqual(['/tickets/12', '/messages/12'])
  expect(firstReads('/atendimento/12/', '?timestamp=1700000000000').slice(1)).toEqual(['/tickets/12'])
  expect(firstReads('/atendimento/chats', '')).toHaveLength(1)
})

test.each([
  ['?id=12', ['/chat-flow/12']],
  ['?x=1&id=7', ['/chat-flow/7']],
  ['', []],
  ['?id=', []],
  // A crafted link cannot request another route.
  ['?id=../ticketsClear', []],
  ['?id=1%2Fversions', []],
])('a screen that is opened by its address reads what that names (%s)', (search, reads) => {
  expect(screenReads({ reads: ['/chat-flow/{id}'] }, search)).toEqual(reads)
})

test.each([
  ['', ['/contactsKanban']],
  ['?busca=ana', []],
])('a screen reads all that it shows first only where nothing narrows it (%s)', (search, reads) => {
  expect(screenReads({ reads: ['/contactsKanban'] }, search)).toEqual(reads)
})
