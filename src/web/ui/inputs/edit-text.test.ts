import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CaretText, deletion, editMasked } from './edit-text.ts'
import { applyMask, bare, type MaskName, patternOf } from './mask.ts'

/** Parses a text in which `|` marks the caret. */
const place = (marked: string): CaretText => ({ text: marked.replace('|', ''), caret: marked.indexOf('|') })
const mark = ({ text, caret }: CaretText) => `${text.slice(0, caret)}|${text.slice(caret)}`

const type = (mask: MaskName, at: string, chars: string) => {
  const { text, caret } = place(at)
  const edit = { before: text, text: text.slice(0, caret) + chars + text.slice(caret), caret: caret + chars.length }
  return mark(editMasked(mask, edit))
}
const backspace = (mask: MaskName, at: string) => {
  const { text, caret } = place(at)
  const edit = { before: text, text: text.slice(0, caret - 1) + text.slice(caret), caret: caret - 1 }
  return mark(editMasked(mask, { ...edit, deleted: 'back' }))
}
const remove = (mask: MaskName, at: string) => {
  const { text, caret } = place(at)
  const edit = { before: text, text: text.slice(0, caret) + text.slice(caret + 1), caret }
  return mark(editMasked(mask, { ...edit, deleted: 'forward' }))
}

test.each<[MaskName, string, string, string]>([
  ['cpf', '|', '3', '3|'],
  ['cpf', '318|', '6', '318.6|'],
  ['cpf', '31|8.6', '9', '319|.86'],
  ['cpf', '31|', 'x', '31|'],
  ['celular', '|', '+55 (19) 99812-4407'.slice(4), '(19) 99812-4407|'],
  ['data', '1|4/03', '5', '15|/40/3'],
  ['time', '1|2:34', '9', '19|:34'],
  ['time', '12:34|', '5', '12:34|'],
  ['time', '|12:34', '0945', '09:45|'],
  ['cnpj', '12.AB|', 'c', '12.ABC|'],
  ['card', '4111 |1111', '22', '4111 22|11 11'],
])('%s: in %s, %s gives %s', (mask, at, chars, after) => {
  expect(type(mask, at, chars)).toBe(after)
})

test.each<[MaskName, string, string]>([
  ['cpf', '318.6|', '318|'],
  ['cpf', '318.|604', '31|6.04'],
  ['cpf', '31|8.604', '3|86.04'],
  ['data', '1|', '|'],
])('%s: backspace in %s gives %s', (mask, at, after) => {
  expect(backspace(mask, at)).toBe(after)
})

test.each<[MaskName, string, string]>([
  ['cpf', '318|.604', '318|.04'],
  ['cpf', '3|18.604', '3|86.04'],
  ['phone', '(12|3) 456', '(12|4) 56'],
])('%s: delete in %s gives %s', (mask, at, after) => {
  expect(remove(mask, at)).toBe(after)
})

test('underscores that are shown are not typed', () => {
  const edit = { before: '14/3_/____', text: '14/3_/____9', caret: 11 }
  expect(mark(editMasked('data', edit))).toBe('14/39|')
  expect(mark(editMasked('data', { before: '14/3_/____', text: '14/3/____', caret: 4, deleted: 'back' }))).toBe('14|')
})

test('what a browser calls a deletion', () => {
  expect(['deleteContentBackward', 'deleteContentForward', 'insertText', undefined].map(deletion)).toEqual([
    'back',
    'forward',
    undefined,
    undefined,
  ])
})

const masks: MaskName[] = ['date', 'datetime', 'time', 'fulltime', 'phone', 'card', 'cpf', 'celular', 'cep', 'data']

test('typing digits anywhere keeps them in order, the caret after them, and no character beside the mask', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...masks),
      fc.stringMatching(/^\d{0,20}$/),
      fc.stringMatching(/^\d{1,3}$/),
      fc.nat(30),
      (mask, digits, typed, at) => {
        const before = applyMask(mask, digits)
        const caret = Math.min(at, before.length)
        const text = before.slice(0, caret) + typed + before.slice(caret)
        const after = editMasked(mask, { before, text, caret: caret + typed.length })
        const head = bare(before.slice(0, caret))
        const room = bare(patternOf(mask).replaceAll('#', '0')).length
        expect(bare(after.text.slice(0, after.caret))).toBe((head + typed).slice(0, room))
        expect(after.text).toBe(applyMask(mask, after.text))
        expect(bare(after.text).length).toBe(Math.min(room, bare(before).length + typed.length))
      },
    ),
  )
})

test('a backspace takes exactly the character before the caret', () => {
  fc.assert(
    fc.property(fc.constantFrom(...masks), fc.stringMatching(/^\d{1,20}$/), fc.nat(30), (mask, digits, at) => {
      const before = applyMask(mask, digits)
      const caret = Math.max(1, Math.min(at, before.length))
      const text = before.slice(0, caret - 1) + before.slice(caret)
      const after = editMasked(mask, { before, text, caret: caret - 1, deleted: 'back' })
      const head = bare(before.slice(0, caret)).slice(0, -1)
      expect(bare(after.text)).toBe(head + bare(before.slice(caret)))
      expect(bare(after.text.slice(0, after.caret))).toBe(head)
    }),
  )
})
