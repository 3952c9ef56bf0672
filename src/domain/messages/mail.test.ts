import { expect, test } from 'vitest'
import { answerSubject, forwardSubject, type MailPerson, peopleTyped, typedPeople } from './mail.ts'

const at = (address: string, name = ''): MailPerson => ({ name, address })

test.each<[string, MailPerson[], string[]]>([
  ['', [], []],
  [' ,; \n', [], []],
  ['Ana@Loja.com', [at('ana@loja.com')], []],
  ['Ana Souza <ana@loja.com>, bia@loja.com', [at('ana@loja.com', 'Ana Souza'), at('bia@loja.com')], []],
  [
    '"Silva, João" <j@loja.com>; <c@loja.com>\nd@loja.com',
    [at('j@loja.com', 'Silva, João'), at('c@loja.com'), at('d@loja.com')],
    [],
  ],
  ['ana@loja.com, ANA@loja.com', [at('ana@loja.com')], []],
  ['ana@loja, bia@loja.com', [at('bia@loja.com')], ['ana@loja']],
  ['Ana <nada>, "aberta <x@y.com>', [at('x@y.com', 'aberta')], ['Ana <nada>']],
  ['a@b.com\r\nBcc: c@d.com', [at('a@b.com')], ['Bcc: c@d.com']],
  [`${'a'.repeat(260)}@x.com`, [], [`${'a'.repeat(260)}@x.com`]],
])('who is meant by %j', (text, people, wrong) => {
  expect(peopleTyped(text)).toEqual({ people, wrong })
})

test('people are written so that they are read again as they were', () => {
  const people = [at('a@b.com', 'Silva, "Jô" <x>'), at('c@d.com', 'Cida'), at('e@f.com')]
  const again = peopleTyped(typedPeople(people))
  expect(again.wrong).toEqual([])
  expect(again.people).toEqual([at('a@b.com', "Silva, 'Jô' <x>"), ...people.slice(1)])
})

test('a subject is passed on or answered under one word alone', () => {
  expect(forwardSubject('RES: Fwd: Pedido 7')).toBe('Enc: Pedido 7')
  expect(answerSubject('Enc: Pedido 7')).toBe('Re: Pedido 7')
})
