import { z } from 'zod'
import { MASS_KINDS } from '#domain/campaigns/mass.ts'
import { formFlag, id, inForm, text, uuid } from '#kit/fields.ts'
import { MOST_LETTERS, mediaUrl, seconds, template } from './forms.ts'

/** Maximum number of lines at once; for more, use an import and a campaign. */
export const MOST_LINES = 1000

const entry = z.strictObject({
  number: text(40, 1),
  /** Values of `{{var1}}`, `{{var2}}` …. */
  values: z.array(z.string().max(1000)).max(20, 'No máximo 20 variáveis por linha.').default([]),
})

/** Schema of a message to a list: connections, content and recipients. */
export const dispatchForm = z
  .strictObject({
    kind: z.enum(MASS_KINDS),
    /** Idempotency key: the same id is the same dispatch. */
    idFront: uuid.optional(),
    name: text(120).default(''),
    /** Ids of the sending connections, which take turns. */
    sessionIds: inForm(z.array(id).min(1, 'Escolha por onde enviar.').max(20, 'No máximo 20 canais.')),
    /** Range of the interval between two messages, in seconds. */
    min: seconds.default(15),
    max: seconds.default(30),
    message: text(MOST_LETTERS).default(''),
    template: inForm(template.nullable()).default(null),
    mediaUrl,
    /** Purpose; contacts who withdrew from marketing are skipped for `marketing`. */
    purpose: z.enum(['marketing', 'utility']).default('marketing'),
    lines: inForm(z.array(entry).max(MOST_LINES, `No máximo ${MOST_LINES} linhas.`)).default([]),
    contacts: inForm(z.array(id).max(10_000)).default([]),
    tags: inForm(z.array(id).max(500)).default([]),
    kanban: inForm(z.array(id).max(500)).default([]),
    /** Addresses of groups on their channel. */
    groups: inForm(z.array(text(200, 1)).max(500, 'No máximo 500 grupos.')).default([]),
    /** Whether the conversations of sent templates are closed. */
    closeTicket: formFlag.default(true),
  })
  .superRefine((form, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', message, path: [path] })
    if (form.max < form.min) wrong('max', 'O máximo não pode ser menor que o mínimo.')
    const isTemplate = form.kind === 'template' || form.kind === 'template_variable'
    if (isTemplate && !form.template) wrong('template', 'Escolha um modelo.')
    if (!isTemplate && form.message === '') wrong('message', 'Escreva a mensagem.')
    const { lines, contacts, tags, kanban, groups } = form
    if (groups.length > 0 && form.kind !== 'text') wrong('groups', 'Grupos recebem só texto.')
    if (lines.length + contacts.length + tags.length + kanban.length + groups.length === 0)
      wrong('lines', 'Diga quem recebe.')
  })
