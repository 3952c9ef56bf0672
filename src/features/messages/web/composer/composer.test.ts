import { expect, test } from 'vitest'
import type { MailDraft } from '#domain/messages/mail.ts'
import { signed, unsigned } from '#domain/messages/signature.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { barCount, barsOf } from '../media/audio.ts'
import { matching } from '../mentions/matching.ts'
import { answered, askedAt } from '../mentions/suggestions.ts'
import { type Attachment, attach, partsOf, want } from '../outbox/attachments.ts'
import { draftOf, forwarded, problemsOf, untouched, wishOf } from './mail-draft.ts'

test.each<[string, string, number | null]>([
  ['/troca', '/', 0],
  ['Oi /tro', '/', 3],
  ['linha\n/x', '/', 6],
  ['@cam', '@', 0],
  ['https://loja', '/', null],
  ['e/ou', '/', null],
  ['ana@loja', '@', null],
  ['/troca pronta', '/', null],
])('what is asked for at the end of %j', (text, sign, from) => {
  const asked = askedAt(text, text.length)
  expect(asked && { sign: asked.sign, from: asked.from }).toEqual(from === null ? null : { sign, from })
})

test('an answer takes the place of what was typed and leaves the caret behind it', () => {
  const text = 'Oi /tro e mais'
  const asked = askedAt(text, 7)
  expect(asked && answered(text, asked, 'Trocamos.')).toEqual({ text: 'Oi Trocamos. e mais', caret: 12 })
})

test('keys that begin with what was typed come first, accents aside', () => {
  const all = ['trocanota', 'posvenda', 'troca']
  expect(matching(all, 'TROÇA', String, (one) => (one === 'posvenda' ? 'prazo da troca' : ''))).toEqual([
    'trocanota',
    'troca',
    'posvenda',
  ])
})

test('a signature is written before the text and not shown twice', () => {
  expect(signed('Oi', 'Ana Lemos')).toBe('*Ana Lemos*:\nOi')
  expect(signed('', 'Ana Lemos')).toBe('')
  expect(unsigned('*Ana Lemos*:\nOi', 'Ana Lemos')).toBe('Oi')
  expect(unsigned('*Ana Lemos*:\nOi', 'Bia')).toBe('*Ana Lemos*:\nOi')
  expect(signed('Oi', 'Ana Lemos', 'Vendas')).toBe('*Ana Lemos · Vendas*:\nOi')
  expect(unsigned('*Ana Lemos · Vendas*:\nOi', 'Ana Lemos')).toBe('Oi')
  expect(unsigned('*Ana Lemos disse*:\nOi', 'Ana Lemos')).toBe('*Ana Lemos disse*:\nOi')
})

test('a file that the channel would refuse is refused before it is sent', () => {
  const files = { image: { maxBytes: 1_000_000, mimes: ['image/png'] } }
  const problemOf = (size: number, type: string) =>
    attach(new File([new Uint8Array(size)], 'foto', { type }), { files, transcodes: false, viewOnce: [] }).problem
  expect(problemOf(999_999, 'image/png')).toBeNull()
  expect(problemOf(2_000_000, 'image/png')).toMatch('até 1 MB')
  expect(problemOf(10, 'image/jpeg')).toMatch('só em PNG')
  expect(problemOf(0, 'image/png')).toBe('O arquivo está vazio.')
})

test('a file may be seen once where the channel has that, of sounds a voice note; several such are no album', async () => {
  const any = { maxBytes: 1_000_000 }
  const files = { image: any, audio: { ...any, voice: true as const }, document: any }
  const can = { files, transcodes: false, viewOnce: ['image', 'audio'] as const }
  const given = (type: string) => attach(new File(['x'], 'a', { type }), can)
  let all: readonly Attachment[] = ['image/png', 'image/png', 'audio/mpeg', 'text/plain'].map(given)
  const change = (next: (before: typeof all) => typeof all) => {
    all = next(all)
  }
  expect(all.map(({ once }) => once)).toEqual([false, false, null, null])
  for (const file of all.slice(0, 2)) await want(file, 'once', can, change)
  expect((await partsOf('', all.slice(0, 2), null)).map(({ file }) => [file?.once, file?.album])).toEqual([
    [true, undefined],
    [true, undefined],
  ])
  await want(all[0]!, 'once', can, change)
  expect(all[0]!.once).toBe(false)
  expect(attach(new File(['x'], 'a', { type: 'image/png' }), { ...can, viewOnce: [] }).once).toBeNull()
})

test('the bars of a recording follow its loudness', () => {
  const samples = Float32Array.from({ length: barCount * 10 }, (_, at) => (at < barCount * 5 ? 0.1 : 0.5))
  const bars = barsOf(samples)
  expect(bars).toHaveLength(barCount)
  expect(bars[0]).toBeCloseTo(0.2)
  expect(bars.at(-1)).toBe(1)
})

const mail = (change: Partial<MailDraft>): MailDraft => ({ ...untouched, ...change })

test.each<[string, Partial<MailDraft>, object]>([
  ['an answer', { subject: ' Nota ' }, { subject: 'Nota', to: [], cc: [], bcc: [], toAll: false }],
  ['to all', { mode: 'all', cc: 'b@x.com' }, { toAll: true, to: [], cc: [{ name: '', address: 'b@x.com' }] }],
  ['what was named before counts for nothing', { mode: 'reply', to: 'a@x.com' }, { to: [] }],
  ['to whom is named', { mode: 'own', to: 'Ana <a@x.com>' }, { to: [{ name: 'Ana', address: 'a@x.com' }] }],
])('what is asked for of a mail: %s', (_, change, wish) => {
  expect(JSON.parse(wishOf(mail(change))!)).toMatchObject(wish)
})

test.each<[Partial<MailDraft>, object]>([
  [{ mode: 'own' }, { to: 'Informe para quem vai o e-mail.' }],
  [{ cc: 'nada' }, { cc: '“nada” não é um e-mail válido.' }],
  [{ bcc: Array.from({ length: 51 }, (_, n) => `n${n}@x.com`).join() }, { bcc: 'No máximo 50 destinatários.' }],
])('what is wrong with who gets a mail is said, and nothing is asked for', (change, problems) => {
  expect(problemsOf(mail(change))).toEqual(problems)
  expect(wishOf(mail(change))).toBeUndefined()
})

test('a mail is passed on with its files, to nobody yet', () => {
  const row = (change: object) => ({ fromMe: false, body: '', file: null, data: null, userName: null, ...change })
  const first = row({
    timestamp: 1000,
    body: 'Segue',
    data: { mail: { subject: 'Re: Nota', from: { name: 'Ana', address: 'a@x.com' }, to: [], cc: [], quoted: '> Oi' } },
  }) as unknown as MessageRow
  const file = row({ timestamp: 1001, file: { id: 'f' } }) as unknown as MessageRow
  const later = row({ timestamp: 9000, file: { id: 'g' } }) as unknown as MessageRow
  const [mail, ...files] = forwarded(first, [first, file, later])
  expect(mail!.body).toMatch(
    /^\n\n-+ Mensagem encaminhada -+\nDe: Ana <a@x\.com>\nData: .+\nAssunto: Re: Nota\n\nSegue\n\n> Oi$/,
  )
  expect(draftOf(mail!.data)).toEqual({ mail: { mode: 'own', subject: 'Enc: Nota', to: '', cc: '', bcc: '' } })
  expect(files.map((one) => one.file!.id)).toEqual(['f'])
  expect(draftOf(files[0]!.data)).toEqual({})
})
