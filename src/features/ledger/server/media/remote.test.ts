import { expect, test } from 'vitest'
import { secretsFrom } from '#server/secrets.ts'
import { decryptPointer, remoteContent, withoutKeys } from './remote.ts'

const secrets = secretsFrom(Buffer.alloc(32, 1))
const of = { tenantId: 1, connectionId: 2 }
const message = { providerId: 'A1', timestamp: 0, type: 'image', body: '' } as const
const remote = { name: 'foto.jpg', size: 10, pointer: { key: 'segredo' } }
const about = (more: object) => remoteContent({ ...message, remote: { ...remote, ...more } }, 'coming').data

test('a pointer is opened for its own message only', () => {
  const spoken = {
    type: 'message',
    dedupeKey: 'A1',
    conversationKey: '5',
    sender: { identity: '5', name: '' },
  } as const
  const event = withoutKeys({ secrets }, of, { ...spoken, message: { ...message, remote } })
  expect(JSON.stringify(event)).not.toContain('segredo')
  const { pointer } = remoteContent((event as unknown as { message: typeof message }).message, 'coming')
  expect(decryptPointer({ secrets }, of, 'A1', pointer!)).toEqual({ key: 'segredo' })
  expect(() => decryptPointer({ secrets }, of, 'A2', pointer!)).toThrow()
  expect(() => decryptPointer({ secrets }, { ...of, tenantId: 3 }, 'A1', pointer!)).toThrow()
  const plain = { ...spoken, message }
  expect(withoutKeys({ secrets }, of, plain)).toBe(plain)
})

test.each([
  [
    'what it says',
    { durationMs: 1500.4, width: 4, height: 3, thumbnail: 'AA==' },
    { durationMs: 1500, width: 4, height: 3, thumbnail: 'AA==' },
  ],
  ['no path and no turned end', { name: '../../a\u202Egpj.exe' }, { name: '_.._agpj.exe' }],
  ['no size that is none', { size: -1 }, { size: null }],
  ['no length beyond a week', { durationMs: 4e12 }, {}],
  ['no side without the other, none that is too long', { width: 9e9, height: 1 }, {}],
  ['no preview that is long or none', { thumbnail: 'A'.repeat(4001) }, {}],
  ['no preview that is something else', { thumbnail: '" onerror="' }, {}],
])('of a file is shown %s', (_, given, shown) =>
  expect(about(given)).toEqual({ remote: { name: 'foto.jpg', size: 10, state: 'coming', ...shown } }),
)
