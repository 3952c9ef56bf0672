import { z } from 'zod'
import { TEMPLATE_CATEGORIES, TEMPLATE_FORMATS, TEMPLATE_STATUSES } from '#domain/message-templates/template.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, flag, id, isoTime, pageAnswer } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { templateChanges, templateForm, testForm } from './forms.ts'
import { templateTable } from './table.ts'

const header = z.union([
  z.object({ kind: z.literal('text'), text: z.string(), sample: z.string().optional() }),
  z.object({ kind: z.enum(['image', 'video', 'document']), handle: z.string().optional() }),
])
const button = z.union([
  z.object({ kind: z.literal('reply'), text: z.string() }),
  z.object({ kind: z.literal('url'), text: z.string(), url: z.string(), sample: z.string().optional() }),
  z.object({ kind: z.literal('phone'), text: z.string(), phone: z.string() }),
  z.object({ kind: z.literal('code'), sample: z.string() }),
  z.object({ kind: z.literal('otp'), text: z.string() }),
])

const template = z.object({
  id: z.number().int(),
  whatsappId: z.number().int(),
  name: z.string(),
  language: z.string(),
  category: z.enum(TEMPLATE_CATEGORIES),
  status: z.enum(TEMPLATE_STATUSES),
  quality: z.enum(['GREEN', 'YELLOW', 'RED']).nullable(),
  /** Reason for the rejection, in the provider's words; empty if not rejected. */
  reason: z.string(),
  /** Reason why the template cannot be sent now; null if it can. */
  problem: z.string().nullable(),
  /** Whether the template has parts that only the provider can edit. */
  isForeign: z.boolean(),
  format: z.enum(TEMPLATE_FORMATS),
  header: header.nullable(),
  body: z.string(),
  samples: z.record(z.string(), z.string()),
  footer: z.string(),
  buttons: z.array(button),
  /** Settings of an authentication template, whose text the provider writes. */
  code: z.object({ isWarned: z.boolean(), minutes: z.number().int().nullable() }).optional(),
  /** Required values from top to bottom, with their keys. */
  variables: z.array(
    z.object({ key: z.string(), part: z.enum(['header', 'body', 'button']), name: z.string(), sample: z.string() }),
  ),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Message template, as API responses return it. */
export type MessageTemplateRow = z.output<typeof template>

const provider = ['ERR_TEMPLATE_PROVIDER', 'ERR_CHANNEL_CANNOT', 'ERR_NO_WAPP_FOUND'] as const

/** API contract of message templates: texts for outside of the window, approved by the channel's provider. */
export const messageTemplates = contract(at.messageTemplates, {
  list: {
    summary: 'Modelos de mensagem, por nome; de um canal, ou só os que podem ser enviados',
    query: listQuery(templateTable).extend({ whatsappId: id.optional(), isUsable: flag }),
    returns: z.object({ items: z.array(template), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Um modelo de mensagem', returns: template, errors: ['ERR_NO_TEMPLATE_FOUND'] },
  create: {
    summary: 'Novo modelo na conta de um canal; vai para a análise do provedor',
    mode: 'slow',
    body: templateForm,
    returns: template,
    errors: [...provider, 'ERR_DUPLICATED'],
    audit: true,
  },
  update: {
    summary: 'Alterar o que um modelo diz; volta para a análise do provedor',
    mode: 'slow',
    body: templateChanges,
    returns: template,
    errors: ['ERR_NO_TEMPLATE_FOUND', ...provider],
    audit: true,
  },
  remove: {
    summary: 'Excluir um modelo em um idioma, no provedor também',
    mode: 'slow',
    returns: done,
    errors: ['ERR_NO_TEMPLATE_FOUND', ...provider],
    audit: true,
  },
  sync: {
    summary: 'Ler de novo os modelos da conta de um canal no provedor',
    mode: 'slow',
    body: z.strictObject({ whatsappId: id }),
    returns: z.object({ count: z.number().int() }),
    errors: [...provider],
  },
  test: {
    summary:
      'Enviar um modelo, com o arquivo do cabeçalho, a um número, para ver como chega; fica fora dos atendimentos',
    mode: 'slow',
    body: testForm,
    returns: done,
    errors: [
      ...(['ERR_NO_TEMPLATE_FOUND', 'ERR_TEMPLATE_REFUSED', ...provider] as const),
      ...(['ERR_RATE_LIMIT', 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'] as const),
    ],
    audit: true,
  },
  sample: {
    summary: 'Enviar ao provedor o arquivo de exemplo do cabeçalho de um modelo; o `handle` vai no modelo',
    mode: 'slow',
    body: z.strictObject({ whatsappId: id }),
    returns: z.object({ handle: z.string() }),
    errors: [...provider, 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'],
  },
})

/** Event of changed message templates; lists reload. */
export const templateChanged = events(at.templateEvents, {
  changed: z.object({ whatsappId: z.number().int() }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    messageTemplates: typeof messageTemplates
  }
  interface Events {
    templateEvents: typeof templateChanged
  }
}
