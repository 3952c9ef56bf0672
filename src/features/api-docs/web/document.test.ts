import { describe, expect, test } from 'vitest'
import {
  addressOf,
  boundsText,
  curlOf,
  groupsOf,
  operationsOf,
  type Schema,
  sampleOf,
  schemaRows,
  typeText,
} from './document.ts'

const filter: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 3, maxLength: 50 },
    ids: { type: 'array', items: { type: 'integer' }, maxItems: 200 },
    role: { type: 'string', enum: ['user', 'admin'], default: 'user' },
    hours: {
      nullable: true,
      anyOf: [
        { type: 'array', items: { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] } },
      ],
    },
  },
  required: ['name', 'ids'],
}
const { operations } = {
  operations: operationsOf({
    paths: {
      '/api/tags/{id}': {
        put: {
          operationId: 'tags.update',
          summary: 'Alterar uma etiqueta',
          tags: ['tags'],
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'force', in: 'query', required: false, schema: { type: 'boolean' } },
          ],
          responses: {},
        },
      },
      '/api/tickets': {
        get: { operationId: 'tickets.list', summary: 'Lista', tags: ['tickets'], parameters: [], responses: {} },
      },
    },
  }),
}

describe('a schema', () => {
  test.each<[Schema, string]>([
    [{ type: 'string' }, 'texto'],
    [{ type: 'string', format: 'date-time', nullable: true }, 'data e hora (ISO) ou nulo'],
    [{ type: 'array', items: { type: 'integer' } }, 'lista de inteiro'],
    [{ enum: ['a', 'b'] }, 'a, b'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'texto ou número'],
    [{}, 'qualquer valor'],
  ])('%j reads “%s”', (schema, text) => expect(typeText(schema)).toBe(text))

  test.each<[Schema, string]>([
    [{ minLength: 3, maxLength: 50 }, 'de 3 a 50 caracteres'],
    [{ maximum: Number.MAX_SAFE_INTEGER, minimum: 1 }, 'ao menos 1'],
    [{ maxItems: 200, default: [] }, 'até 200 itens · sem valor: []'],
  ])('%j keeps to “%s”', (schema, text) => expect(boundsText(schema)).toBe(text))

  test('is a table of its fields, those within below', () => {
    expect(schemaRows(filter).map(({ depth, name, isRequired }) => [depth, name, isRequired])).toEqual([
      [0, 'name', true],
      [0, 'ids', true],
      [0, 'role', false],
      [0, 'hours', false],
      [1, 'day', true],
    ])
  })

  test('gives a value to begin from', () => {
    expect(sampleOf(filter)).toEqual({ name: '', ids: [0] })
    expect(sampleOf({ type: 'object', properties: { role: filter.properties!['role']! } })).toEqual({ role: 'user' })
  })
})

describe('operations', () => {
  const subjects = [
    { name: 'tickets', description: 'Atendimentos' },
    { name: 'tags', description: 'Etiquetas' },
  ]
  test('stand under their subject, in the order of the subjects, and are found by any of their words', () => {
    expect(groupsOf(operations, subjects, '').map(({ title }) => title)).toEqual(['Atendimentos', 'Etiquetas'])
    for (const search of ['etiqueta ALTERAR', 'put tags', '/api/tags', 'Etiquetas'])
      expect(groupsOf(operations, subjects, search).map(({ family }) => family)).toEqual(['tags'])
    expect(groupsOf(operations, subjects, 'nada disso')).toEqual([])
  })

  test('have an address of what was written, and a line for a terminal', () => {
    const [put] = operations
    expect(addressOf(put!, { id: 'a/b', force: 'true' })).toBe('/api/tags/a%2Fb?force=true')
    expect(addressOf(put!, { id: '7' })).toBe('/api/tags/7')
    expect(curlOf('https://x.test', 'PUT', '/api/tags/7', `{"tag":"d'água"}`)).toContain(`-d '{"tag":"d'\\''água"}'`)
  })
})
