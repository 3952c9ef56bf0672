import { templateOf } from '#domain/message-templates/template.ts'
import { buttonsOf, cardOf, locationOf } from '#domain/messages/data.ts'
import {
  FRAME_LIMITS,
  formOf,
  frameOf,
  type InteractiveType,
  isInteractive,
  linkOf,
  listOf,
} from '#domain/messages/interactive.ts'
import { templatePart } from '../meta-templates.ts'
import type { Outbound } from '../port.ts'

/** Maximum length of a caption at Meta, in characters. */
const MOST_IN_CAPTION = 1024

/** Message in the Graph API's form, without its recipient. */
export type Payload = { readonly type: string; readonly [part: string]: unknown }

/** Returns the recipient: a phone number, Meta's id of a person who hides theirs (`BR.15`), or a group. */
export function recipientOf(conversationKey: string): { to: string; recipient_type?: 'group' } | { recipient: string } {
  if (/^\d+$/.test(conversationKey)) return { to: conversationKey }
  const isGroup = !/^[A-Z]{2}\./.test(conversationKey)
  return isGroup ? { recipient_type: 'group', to: conversationKey } : { recipient: conversationKey }
}

/** Returns the reason why Meta would refuse a supported message, as a sentence; null if it would not. */
export function whyNotPayload({
  type,
  body,
  file,
  data,
}: Pick<Outbound, 'type' | 'body' | 'file' | 'data'>): string | null {
  const isShort = type !== 'template' && (file !== null || isInteractive(type))
  if (isShort && body.length > MOST_IN_CAPTION)
    return `O texto junto de um arquivo ou de botões vai até ${MOST_IN_CAPTION} letras. Envie-o em outra mensagem.`
  if ((frameOf(data).footer ?? '').length > FRAME_LIMITS.footer)
    return `O rodapé vai até ${FRAME_LIMITS.footer} letras. Encurte-o.`
  return null
}

/** Converts a message for the Graph API; `mediaId`: id of its uploaded file. Null for an unsupported kind. */
export function payloadOf(
  {
    type,
    body,
    file,
    data,
    messageId,
    quotedProviderId,
  }: Pick<Outbound, 'type' | 'body' | 'file' | 'data' | 'messageId' | 'quotedProviderId'>,
  mediaId: string | null,
): Payload | null {
  const template = type === 'template' && templateOf(data)
  const content = template
    ? { type, template: templatePart(template, mediaId ? { id: mediaId } : null, file?.name ?? null) }
    : mediaId && file
      ? filePart(type, body, file, mediaId)
      : partOf(type, body, data, messageId)
  return (
    content && {
      ...content,
      ...(quotedProviderId ? { context: { message_id: quotedProviderId } } : {}),
      biz_opaque_callback_data: messageId,
    }
  )
}

function filePart(type: string, body: string, { name, waveform }: NonNullable<Outbound['file']>, id: string): Payload {
  const caption = body ? { caption: body } : {}
  if (type === 'document') return { type, document: { id, filename: name, ...caption } }
  if (type === 'audio') return { type, audio: { id, ...(waveform ? { voice: true } : {}) } }
  return type === 'sticker' ? { type, sticker: { id } } : { type, [type]: { id, ...caption } }
}

function partOf(type: string, body: string, data: Outbound['data'], messageId: string): Payload | null {
  const [card, location] = [cardOf(data), locationOf(data)]
  if (type === 'contact' && card) {
    const phone = { phone: card.phoneNumber, ...(card.wuid ? { wa_id: card.wuid } : {}) }
    return {
      type: 'contacts',
      contacts: [{ name: { formatted_name: card.fullName, first_name: card.fullName }, phones: [phone] }],
    }
  }
  if (type === 'location' && location) return { type, location }
  if (isInteractive(type)) {
    const part = interactivePart(type, data, messageId)
    if (!part) return null
    const { header, footer } = frameOf(data)
    const interactive = {
      ...{ type: part.type, body: { text: body }, action: part.action },
      ...(header ? { header: { type: 'text', text: header } } : {}),
      ...(footer ? { footer: { text: footer } } : {}),
    }
    return { type: 'interactive', interactive }
  }
  return type === 'text' ? { type, text: { body, preview_url: /https?:\/\//.test(body) } } : null
}

/** Builds the pressable part of an interactive message for the Graph API. */
function interactivePart(
  type: InteractiveType,
  data: Outbound['data'],
  messageId: string,
): { type: string; action: object } | null {
  const [buttons, list, link, form] = [buttonsOf(data), listOf(data), linkOf(data), formOf(data)]
  if (type === 'buttons' && buttons) {
    const replies = buttons.buttons.map(({ id, text: title }) => ({ type: 'reply', reply: { id, title } }))
    return { type: 'button', action: { buttons: replies } }
  }
  if (type === 'list' && list) return { type, action: { button: list.button, sections: list.sections } }
  if (type === 'cta_url' && link)
    return { type, action: { name: 'cta_url', parameters: { display_text: link.text, url: link.url } } }
  if (type === 'location_request') return { type: 'location_request_message', action: { name: 'send_location' } }
  if (type !== 'form' || !form) return null
  const parameters = { flow_message_version: '3', flow_token: messageId, flow_id: form.formId, flow_cta: form.text }
  return { type: 'flow', action: { name: 'flow', parameters } }
}
