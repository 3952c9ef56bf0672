import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { type Address, addresses, type EventAddresses, pathOf, tableAddresses } from './addresses.ts'
import { type Answer, type CallInput, contract } from './contract.ts'
import { events, type Payload } from './events.ts'

const called = addresses('rooms', {
  list: { method: 'GET', path: '/rooms', can: 'session' },
  close: { method: 'PUT', path: '/rooms/:room/days/:day', can: 'session', touches: ['rooms'] },
})
const id = z.number()
const list = { summary: 'Salas', query: z.object({ size: id.optional() }), returns: z.array(id) }
const params = z.object({ room: z.string(), day: id })
const close = { summary: 'Fechar', params, returns: z.object({ ok: z.boolean() }) }
const rooms = contract(called, { list, close })
const heard = { moved: { channel: 'rooms', type: 'room:moved', durable: true } } as const satisfies EventAddresses
const roomEvents = events(heard, { moved: z.object({ room: id }) })

declare module './contract.ts' {
  interface Contracts {
    rooms: typeof rooms
  }
  interface Events {
    roomEvents: typeof roomEvents
  }
}

test('an operation is its address and its schemas', () => {
  expect(rooms.close).toEqual({ ...called.close, ...close, name: 'rooms.close', family: 'rooms' })
  expect(roomEvents.moved).toMatchObject(heard.moved)
  expect(pathOf(called.close.path, { room: 'a b', day: 2 })).toBe('/rooms/a%20b/days/2')
})

test('parameters of a path are ids where nothing else is said', () => {
  const { close: plain } = contract(called, { list, close: { summary: 'Fechar', returns: id } })
  expect(plain.params.safeParse({ room: '7', day: 8 })).toMatchObject({ success: true, data: { room: 7, day: 8 } })
  expect(plain.params.safeParse({ room: '7', day: 'x' }).success).toBe(false)
  expect(rooms.list).not.toHaveProperty('params')
})

test('an address alone knows what goes in and comes out', () => {
  expectTypeOf<Answer<typeof called.list>>().toEqualTypeOf<number[]>()
  expectTypeOf<CallInput<typeof called.list>>().toEqualTypeOf<{ query?: { size?: number | undefined } }>()
  expectTypeOf<CallInput<typeof called.close>>().toEqualTypeOf<{ params: { room: string; day: number } }>()
  expectTypeOf<Payload<typeof heard.moved>>().toEqualTypeOf<{ room: number }>()
  const unknown = addresses('nobody', { list: { method: 'GET', path: '/nobody', can: 'session' } })
  // @ts-expect-error a contract that is not among the `Contracts` cannot be called by its addresses
  const input: CallInput<typeof unknown.list> = {}
  expect(input).toEqual({})
})

test('addresses and schemas cannot drift apart: none without the other, and the path’s parameters are those of the schema', () => {
  // @ts-expect-error no schemas for `close`
  contract(called, { list })
  // @ts-expect-error no address for `open`
  contract(called, { list, close, open: list })
  // @ts-expect-error the path names no `id`
  contract(called, { list: { ...list, params: z.object({ id }) }, close })
  // @ts-expect-error the path names `day` as well
  contract(called, { list, close: { ...close, params: z.object({ room: id }) } })
  // @ts-expect-error nothing is said of what `moved` carries
  expect(() => events(heard, {})).toThrow('moved')
  // @ts-expect-error `gone` is no event of these
  events(heard, { moved: z.object({}), gone: z.object({}) })
})

test('a table has its addresses from one name and path', () => {
  const { list, update, arrange } = tableAddresses({
    name: 'samples',
    path: '/samples',
    can: { read: 'tags:read', write: 'tags:write' },
  })
  expect([list, update, arrange].map(({ name, method, path, can }: Address) => [name, method, path, can])).toEqual([
    ['samples.list', 'GET', '/samples', 'tags:read'],
    ['samples.update', 'PUT', '/samples/:id', 'tags:write'],
    ['samples.arrange', 'PUT', '/samples/order', 'tags:write'],
  ])
  expectTypeOf(list.name).toEqualTypeOf<'samples.list'>()
})
