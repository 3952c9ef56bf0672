import { describe, expect, test } from 'vitest'
import { mapSecrets, originOf, secretParts, secretReference } from './secrets.ts'

const ID = '0190a000-0000-7000-8000-000000000001'

describe('where a call goes to', () => {
  test.each([
    ['https://Loja.example/x?y', 'https://loja.example'],
    [' http://10.0.0.1:8080', 'http://10.0.0.1:8080'],
    ['https://{{loja}}.example/', 'https://{{loja}}.example'],
    // An ambiguous address has no origin.
    ['https://loja.example@fora.example/', ''],
    ['https://loja.example\\@fora.example/', ''],
    ['https:fora.example', ''],
    ['https://loja.example\n.fora.example/', ''],
    ['ftp://loja.example/', ''],
    ['{{endereco}}', ''],
    ['', ''],
  ])('%j is %j', (url, origin) => expect(originOf(url)).toBe(origin))
})

describe('what is secret', () => {
  const at = (interaction: object) => {
    const document = { nodeList: [{ id: 'n', type: 'node', interactions: [{ id: 'i', ...interaction }] }] }
    const found: string[] = []
    const mapped = mapSecrets(document, (text, { at, name, origin }) => {
      found.push([at, name, origin, text].join(' '))
      return text
    })
    expect(mapped).toEqual(document)
    return found
  }
  const header = (key: string, value: string) => ({
    data: { webhookUrl: 'https://a.example', headers: [{ key, value }] },
  })
  test.each([
    ['a header', header('X-Key', 'abc'), ['/n/i x-key https://a.example abc']],
    [
      'a header with its scheme',
      header('Authorization', 'Bearer abc'),
      ['/n/i authorization https://a.example Bearer abc'],
    ],
    ['no variable', header('Authorization', 'Bearer {{loja.token}}'), []],
    [
      'what is beside a variable',
      header('X', 'a {{x}} b'),
      ['/n/i x https://a.example a', '/n/i x https://a.example b'],
    ],
    ['a reference', header('X', secretReference(ID)), [`/n/i x https://a.example ${secretReference(ID)}`]],
    ['no type of content', header('Content-Type', 'application/json'), []],
    [
      'a header beside data',
      { headers: [{ key: 'X', value: 'abc' }], webhookUrl: 'https://b.example' },
      ['/n/i x https://b.example abc'],
    ],
    [
      'what is no text',
      {
        data: {
          webhookUrl: 'https://a.example',
          headers: [null, { b: 1 }, true].map((value) => ({ key: 'X', value })),
        },
      },
      [],
    ],
    ['a field by its name', { data: { chatgptApiKey: 'abc', message: 'token' } }, ['/n/i chatgptApiKey  abc']],
    [
      'parameters',
      { data: { webhook: 'https://a.example/?q=1&key=abc&token={{t}}' } },
      ['/n/i key https://a.example abc'],
    ],
    ['a password', { data: { webhook: 'https://u:abc@a.example/' } }, ['/n/i password  abc']],
    [
      'parts of a body',
      { data: { bodyContent: '{"apiKey" : "a\\"b", "key": "1", "x": {"senha":"{{s}}"}}' } },
      ['/n/i apiKey  a\\"b'],
    ],
    ['parts of a form', { data: { bodyContent: 'n=1&senha=abc' } }, ['/n/i senha  abc']],
  ])('%s', (_, interaction, expected) => expect(at(interaction)).toEqual(expected))

  test('what is no flow, and what is nested without end, is left alone', () => {
    let deep: unknown = 'x'
    for (let depth = 0; depth < 5000; depth++) deep = [deep]
    for (const document of [{}, { nodeList: 3 }, { nodeList: [null, 3, deep] }])
      expect(mapSecrets(document, () => 'changed')).toEqual(document)
  })
})

test('parts of a text are secrets and what is between them', () => {
  expect(secretParts(`a {{x}} ${secretReference(ID)}b`)).toEqual([
    { text: 'a {{x}} ', secretId: null },
    { text: secretReference(ID), secretId: ID },
    { text: 'b', secretId: null },
  ])
})
