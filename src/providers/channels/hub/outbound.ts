import { templateOf } from '#domain/message-templates/template.ts'
import { templatePart } from '../meta-templates.ts'
import { type ChannelTools, type Outbound, sendFailure } from '../port.ts'

/** Part of a message in the hub's form. */
export type Content = { readonly type: string; readonly [part: string]: unknown }

const NO_ADDRESS = 'A instalação não sabe o próprio endereço: defina PUBLIC_URL, de onde o hub busca o arquivo.'
/** Subject of every mail sent by the hub. */
export const SUBJECT = 'Atendimento'

/**
 * Builds the contents of a message, with its file as a link that the hub fetches; `channel` as named by the hub. Fails as
 * refused.
 */
export function contentsOf(message: Outbound, channel: string, { linkTo }: Pick<ChannelTools, 'linkTo'>): Content[] {
  const { type, body, data, file } = message
  const link = file && (linkTo(message.tenantId, file) ?? refuse(NO_ADDRESS))
  const template = type === 'template' ? templateOf(data) : null
  if (template) return [{ type, template: templatePart(template, link ? { link } : null, file?.name ?? null) }]
  if (file)
    return [
      {
        ...{ type: 'file', fileMimeType: type, fileUrl: link, fileName: file.name },
        ...(body ? { fileCaption: body } : {}),
        ...(file.waveform ? { voice: true } : {}),
      },
    ]
  if (type !== 'text') return refuse('ERR_CHANNEL_CANNOT')
  return [channel === 'email' ? { type: 'email', subject: SUBJECT, text: body } : { type, text: body }]
}

function refuse(text: string): never {
  throw sendFailure('refused', text)
}
