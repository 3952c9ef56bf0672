import { expect, test } from 'vitest'
import { resource } from '#kit/resource.ts'
import { readLines } from './read-lines.ts'

const to = { table: 'queues', list: {} as never, name: 'queue' }
const stages = resource({
  name: 'stages',
  path: '/stages',
  table: 'stages',
  title: 'Etapas',
  singular: 'Etapa',
  gender: 'f',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 10 },
    price: { label: 'Preço', kind: 'money' },
    state: { label: 'Situação', kind: 'choice', options: { novo: 'Novo', usado: 'Usado' } },
    queueId: { label: 'Fila', kind: 'reference', to },
  },
  search: ['name'],
  order: 'name',
  can: { read: 'tags:read', write: 'tags:write' },
  notFound: 'ERR_NO_TAG_FOUND',
})
const names = { queueId: [{ id: 7, name: 'Pós-venda' }] }

test('columns are found by label or name, values read as people write them, and each line says what is wrong', () => {
  const file = 'NOME;preco;Situação;Fila;Outra\nUm;R$ 1.234,50;usado;pos-venda;x\n;12,5;Velho;Compras;\nDois;;;;\n'
  const { unknown, lines } = readLines(stages, file, names, 'America/Sao_Paulo')
  expect(unknown).toEqual(['Outra'])
  expect(lines.map(({ number }) => number)).toEqual([2, 3, 4])
  expect(lines[0]).toMatchObject({ body: { name: 'Um', price: '1234.50', state: 'usado', queueId: 7 }, errors: {} })
  expect(lines[1]?.errors).toEqual({
    name: 'Preencha este campo.',
    state: 'Escolha uma das opções.',
    queueId: 'Escolha um da lista.',
  })
  expect(lines[2]).toMatchObject({ body: { name: 'Dois', price: null, state: null, queueId: null }, errors: {} })
})

test('a column that is not there leaves its field as it begins, a required one is missed in every line', () => {
  expect(readLines(stages, 'Nome\nUm', names, 'UTC').lines[0]).toMatchObject({ body: { name: 'Um' }, errors: {} })
  expect(readLines(stages, 'Preço\n1', names, 'UTC').lines[0]?.errors).toHaveProperty('name')
})
