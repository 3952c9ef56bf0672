import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payloadOf, recipientOf, whyNotPayload } from './outbound.ts'

const plain = { type: 'text', body: '', file: null, data: null, messageId: 'm1', quotedProviderId: null } as const
const file = { id: 'f', name: 'a.jpg', mime: 'image/jpeg', size: 1, path: 'p', durationMs: null, waveform: null }
const buttons = { buttons: [{ id: 'b', text: 'Sim' }], footer: 'Rápido' }
const list = { button: 'Ver', sections: [{ title: 'Um', rows: [{ id: '1', title: 'Esta', description: 'boa' }] }] }
const replies = { buttons: [{ type: 'reply', reply: { id: 'b', title: 'Sim' } }] }

test.each([
  [{ body: 'oi' }, { type: 'text', text: { body: 'oi', preview_url: false } }],
  [{ body: 'veja https://a.b' }, { text: { preview_url: true } }],
  [
    { type: 'image', body: 'Olhe', file },
    { type: 'image', image: { id: 'M', caption: 'Olhe' } },
  ],
  [
    { type: 'video', file },
    { type: 'video', video: { id: 'M' } },
  ],
  [{ type: 'document', body: 'A', file }, { document: { id: 'M', filename: 'a.jpg', caption: 'A' } }],
  [{ type: 'audio', file }, { audio: { id: 'M' } }],
  [{ type: 'audio', file: { ...file, waveform: [1] } }, { audio: { id: 'M', voice: true } }],
  [{ type: 'sticker', file }, { sticker: { id: 'M' } }],
  [
    { type: 'contact', data: { fullName: 'Rui', phoneNumber: '+55', wuid: '55' } },
    {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Rui', first_name: 'Rui' }, phones: [{ phone: '+55', wa_id: '55' }] }],
    },
  ],
  [
    { type: 'location', data: { latitude: 1, longitude: 2, name: 'Sé' } },
    { type: 'location', location: { latitude: 1, longitude: 2, name: 'Sé' } },
  ],
  [
    { type: 'buttons', body: 'Quer?', data: buttons },
    {
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'Quer?' }, footer: { text: 'Rápido' }, action: replies },
    },
  ],
  [
    { type: 'list', body: 'Qual?', data: { header: 'Título', footer: 'Rodapé', list } },
    {
      type: 'interactive',
      interactive: {
        ...{
          type: 'list',
          header: { type: 'text', text: 'Título' },
          body: { text: 'Qual?' },
          footer: { text: 'Rodapé' },
        },
        action: list,
      },
    },
  ],
  [
    { type: 'cta_url', body: 'Veja', data: { link: { text: 'Abrir', url: 'https://x.test' } } },
    {
      type: 'interactive',
      interactive: {
        ...{ type: 'cta_url', body: { text: 'Veja' } },
        action: { name: 'cta_url', parameters: { display_text: 'Abrir', url: 'https://x.test' } },
      },
    },
  ],
  [
    { type: 'location_request', body: 'Onde?' },
    {
      type: 'interactive',
      interactive: { type: 'location_request_message', body: { text: 'Onde?' }, action: { name: 'send_location' } },
    },
  ],
  [
    { type: 'form', body: 'Preencha', data: { form: { text: 'Abrir', formId: '77' } } },
    {
      type: 'interactive',
      interactive: {
        ...{ type: 'flow', body: { text: 'Preencha' } },
        action: {
          name: 'flow',
          parameters: { flow_message_version: '3', flow_token: 'm1', flow_id: '77', flow_cta: 'Abrir' },
        },
      },
    },
  ],
  [{ body: 'sim', quotedProviderId: 'wamid.0' }, { context: { message_id: 'wamid.0' } }],
] as const)('%j', (given, expected) => {
  const made = payloadOf({ ...plain, ...given }, 'file' in given ? 'M' : null)
  expect(made).toMatchObject({ ...expected, biz_opaque_callback_data: 'm1' })
})

test('what is not carried has no form', () => {
  expect(payloadOf({ ...plain, type: 'poll' }, null)).toBeNull()
})

test('who hides their number is never written to by one', () => {
  expect(recipientOf('5511988887777')).toEqual({ to: '5511988887777' })
  expect(recipientOf('BR.1500')).toEqual({ recipient: 'BR.1500' })
  expect(recipientOf('Y2FwaV9ncm91cDo5')).toEqual({ recipient_type: 'group', to: 'Y2FwaV9ncm91cDo5' })
})

test('what is longer than Meta takes is refused before, in words', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2000 }), (length) => {
      const body = 'x'.repeat(length)
      expect(whyNotPayload({ ...plain, type: 'image', body, file }) === null).toBe(length <= 1024)
      expect(whyNotPayload({ ...plain, type: 'buttons', body, data: buttons }) === null).toBe(length <= 1024)
      expect(whyNotPayload({ ...plain, body })).toBeNull()
    }),
  )
  const long = { ...buttons, footer: 'x'.repeat(61) }
  expect(whyNotPayload({ ...plain, type: 'buttons', body: 'x', data: long })).toContain('rodapé')
})
