import { expect, it, test } from 'vitest'
import { VoiceFailure } from '../port.ts'
import { acknowledged, qrcodeOf, signalOf, soundAddressOf, stateOf } from './payload.ts'

const offer = (content: unknown) => signalOf({ tag: 'offer', content, attrs: {} })

it.each<[string, unknown, unknown]>([
  ['nothing', null, null],
  ['a text', 'offer', null],
  ['an unknown tag', { tag: 'preaccept' }, null],
  ['the name of a property of every object', { tag: 'constructor' }, null],
  ['an answer', { tag: 'accept', content: null }, { kind: 'accept' }],
  ['an end', { tag: 'terminate' }, { kind: 'end', why: 'terminate' }],
  ['a refusal elsewhere', { tag: 'reject_elsewhere', attrs: null }, { kind: 'end', why: 'reject_elsewhere' }],
])('a signal that is %s is read', (_, event, signal) => {
  expect(signalOf(event)).toEqual(signal)
})

it.each<[string, unknown, object]>([
  ['a number', { phone: '5519998124407', from_tag: ' Ana ' }, { number: '5519998124407', name: 'Ana', picture: null }],
  ['an address', { phone: '5519998124407:12@s.whatsapp.net' }, { number: '5519998124407', name: '', picture: null }],
  ['nothing', null, { number: '', name: '', picture: null }],
  ['null fields', { phone: null, from_tag: null, profile_picture: null }, { number: '', name: '', picture: null }],
  [
    'a picture',
    { phone: '55', profile_picture: 'https://a/b.jpg' },
    { number: '55', name: '', picture: 'https://a/b.jpg' },
  ],
  ['a hostile picture', { phone: '55', profile_picture: 'javascript:1' }, { number: '55', name: '', picture: null }],
])('an offer from %s is read', (_, content, read) => {
  expect(offer(content)).toEqual({ kind: 'offer', ...read })
})

test('the state of a device is read, with the code that links it', () => {
  expect([stateOf('open', 'x'), stateOf('connecting', null), stateOf('close', 'x'), stateOf('error', null)]).toEqual([
    ...['open', 'connecting', 'linking', 'closed'],
  ])
  expect([stateOf(null, null), stateOf({}, null), stateOf('toString', null)]).toEqual(['closed', 'closed', 'closed'])
  expect([qrcodeOf('2@abc'), qrcodeOf(''), qrcodeOf(null), qrcodeOf({})]).toEqual(['2@abc', null, null, null])
})

test('only a success is a success', () => {
  expect(acknowledged({ type: 'success', result: { profile_picture: 'https://a/b' } })).toEqual({
    picture: 'https://a/b',
  })
  expect(acknowledged({ type: 'success', result: null })).toEqual({ picture: null })
  const failure = (answer: unknown) => {
    try {
      acknowledged(answer)
      return null
    } catch (error) {
      return error instanceof VoiceFailure ? [error.problem, error.message] : error
    }
  }
  expect(failure({ type: 'error', result: 'Numero não existe' })).toEqual(['refused', 'Numero não existe'])
  expect(failure({ type: 'error', result: 'Ocupado', code: 'busy' })).toEqual(['busy', ''])
  expect([failure(null), failure({ type: 'error', result: { a: 1 } })]).toEqual([
    ['refused', ''],
    ['refused', ''],
  ])
})

it.each<[string, unknown, object | null]>([
  ['a host', { room: 'a1', ip: 'som.wavoip.com', port: 3001 }, { room: 'a1', url: 'https://som.wavoip.com:3001' }],
  ['an address with scheme', { room: 7, ip: 'http://10.0.0.1', port: '80' }, { room: '7', url: 'http://10.0.0.1' }],
  ['no room', { ip: 'a.com', port: 1 }, null],
  ['a room that is a path', { room: '../x', ip: 'a.com', port: 1 }, null],
  ['no host', { room: 'a', ip: null, port: 1 }, null],
  ['a hostile host', { room: 'a', ip: 'a b', port: 1 }, null],
  ['nothing', null, null],
])('the sound of a call at %s is found', (_, event, address) => {
  expect(soundAddressOf(event, new URL('https://devices.wavoip.com'))).toEqual(address)
})
