import { z } from 'zod'
import { draftProblems } from '#domain/message-templates/draft.ts'
import { HEADER_FILES, TEMPLATE_CATEGORIES, TEMPLATE_FORMATS } from '#domain/message-templates/template.ts'
import { chosenId, inForm, text } from '#kit/fields.ts'

const header = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().max(200), sample: z.string().max(200).optional() }),
  z.strictObject({ kind: z.enum(HEADER_FILES), handle: z.string().max(4000).optional() }),
])

const button = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reply'), text: z.string().max(100) }),
  z.strictObject({
    ...{ kind: z.literal('url'), text: z.string().max(100), url: z.string().max(4000) },
    sample: z.string().max(2000).optional(),
  }),
  z.strictObject({ kind: z.literal('phone'), text: z.string().max(100), phone: z.string().max(40) }),
  z.strictObject({ kind: z.literal('code'), sample: z.string().max(100) }),
  z.strictObject({ kind: z.literal('otp'), text: z.string().max(100) }),
])

/** Schema of a template's content; each problem that the provider would refuse is reported at its field. */
const content = {
  category: z.enum(TEMPLATE_CATEGORIES, { error: 'Escolha a categoria.' }),
  format: z.enum(TEMPLATE_FORMATS).default('POSITIONAL'),
  header: header.nullable().default(null),
  body: z.string().max(4000),
  samples: z.record(z.string().max(100), z.string().max(1024)).default({}),
  footer: z.string().max(200).default(''),
  buttons: z.array(button).max(20).default([]),
  code: z.strictObject({ isWarned: z.boolean(), minutes: z.number().int().nullable() }).optional(),
}

type Draft = Parameters<typeof draftProblems>[0] & { readonly category: string }

function judge(draft: Draft, refuse: (problem: { code: 'custom'; path: string[]; message: string }) => void): void {
  if ((draft.category === 'AUTHENTICATION') !== (draft.code !== undefined))
    refuse({ code: 'custom', path: ['category'], message: 'Só um modelo de autenticação traz um código.' })
  for (const [field, message] of Object.entries(draftProblems(draft)))
    refuse({ code: 'custom', path: field.split('.'), message })
}

const connection = chosenId('Escolha o canal.')

/** Schema of a new template for the account of a connection. */
export const templateForm = z
  .strictObject({ whatsappId: connection, name: text(512, 1), language: text(20, 2), ...content })
  .superRefine((draft, { addIssue }) => judge(draft, addIssue))

/** Schema of changes to a template: everything except name and language. */
export const templateChanges = z
  .strictObject(content)
  .superRefine((draft, { addIssue }) => judge({ ...draft, name: 'x' }, addIssue))

/** Schema of a test message to a number, with the template's values by key; as text in a form with a file. */
export const testForm = z.strictObject({
  number: z.string().regex(/^\d{8,15}$/, 'Informe o número com país e DDD, só dígitos.'),
  values: inForm(z.record(z.string().max(100), z.string().max(1024)).default({})),
})
