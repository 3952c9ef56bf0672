import { expect, test } from 'vitest'
import { type GroupEvent, groupEventOf, groupEventText } from './group-event.ts'

const person = (id: number, name: string) => ({ id, name })
const ana = person(1, 'Ana')
const bia = person(2, 'Bia')
const caio = person(3, 'Caio')
const davi = person(4, 'Davi')

test.each<[GroupEvent, string]>([
  [{ change: 'add', people: [ana], by: null }, 'Ana entrou no grupo'],
  [{ change: 'add', people: [ana], by: ana }, 'Ana entrou no grupo'],
  [{ change: 'add', people: [ana, bia], by: caio }, 'Caio adicionou Ana e Bia'],
  [{ change: 'add', people: [ana, bia, caio, davi], by: null }, 'Ana, Bia, Caio e mais 1 entraram no grupo'],
  [{ change: 'remove', people: [ana], by: ana }, 'Ana saiu do grupo'],
  [{ change: 'remove', people: [ana, bia], by: null }, 'Ana e Bia saíram do grupo'],
  [{ change: 'remove', people: [ana], by: bia }, 'Bia removeu Ana'],
  [{ change: 'promote', people: [ana], by: bia }, 'Ana agora administra o grupo'],
  [{ change: 'demote', people: [ana, bia], by: null }, 'Ana e Bia não administram mais o grupo'],
  [{ change: 'subject', people: [], by: ana, subject: 'Obra' }, 'Ana mudou o nome do grupo para “Obra”'],
  [{ change: 'subject', people: [], by: null, subject: 'Obra' }, 'O grupo agora se chama “Obra”'],
  [{ change: 'picture', people: [], by: null }, 'A imagem do grupo mudou'],
])('%#: reads as a sentence', (event, text) => {
  expect(groupEventText(event)).toBe(text)
  expect(groupEventOf(JSON.parse(JSON.stringify(event)))).toEqual(event)
})

test.each([null, 'add', [], {}, { change: 'explode', people: [] }, { change: 'add', people: 'Ana' }])(
  '%j is no event',
  (data) => expect(groupEventOf(data)).toBeNull(),
)
