import { z } from 'zod'
import { hasLetter } from '#domain/groups/terms.ts'
import { GROUP_RULE_KINDS } from '#domain/groups/tools.ts'
import { chosenId, inForm, text } from '#kit/fields.ts'

/** Maximum number of groups per job, and of numbers in each. */
export const MOST_GROUPS = 500
export const MOST_NUMBERS = 100
/** Maximum lengths that WhatsApp accepts. */
export const LONGEST_TITLE = 100
export const LONGEST_DESCRIPTION = 2048

/** Channel address of a group. */
export const groupKey = z.string().min(1, 'Escolha o grupo.').max(200)

const channel = chosenId('Escolha o canal.')

const inGroups = {
  whatsappId: channel,
  groupIds: inForm(
    z.array(groupKey).min(1, 'Escolha ao menos um grupo.').max(MOST_GROUPS, `No máximo ${MOST_GROUPS} grupos por vez.`),
  ),
}

const numbers = z
  .array(text(40, 1))
  .min(1, 'Informe ao menos um número.')
  .max(MOST_NUMBERS, `No máximo ${MOST_NUMBERS} números por vez.`)

export const createForm = z.strictObject({
  whatsappId: channel,
  title: text(LONGEST_TITLE, 1),
  participants: numbers,
  quantity: z.coerce
    .number<number | string>()
    .int('Informe um número inteiro.')
    .min(1, 'Ao menos 1 grupo.')
    .max(50, 'No máximo 50 grupos por vez.')
    .default(1),
})
export const titleForm = z.strictObject({ ...inGroups, title: text(LONGEST_TITLE, 1) })
export const descriptionForm = z.strictObject({ ...inGroups, description: text(LONGEST_DESCRIPTION) })
export const pictureUrlForm = z.strictObject({
  ...inGroups,
  picture: text(2000, 1).refine(
    (url) => URL.parse(url)?.protocol.startsWith('http') === true,
    'Informe um endereço que comece com https://.',
  ),
})
export const pictureFileForm = z.strictObject(inGroups)
export const adminsOnlyForm = z.strictObject({ ...inGroups, adminsOnly: z.boolean() })
export const participantsForm = z.strictObject({ ...inGroups, participants: numbers })

/** Schema of an automatic group rule; for words also the consequence. */
export const ruleForm = z
  .strictObject({
    kind: z.enum(GROUP_RULE_KINDS),
    whatsappId: channel,
    groupId: groupKey,
    value: text(1000, 1),
    deletes: z.boolean().default(false),
    warning: text(500).default(''),
    removeAfter: z.coerce
      .number<number | string>()
      .int('Informe um número inteiro.')
      .min(1, 'De 1 a 100.')
      .max(100, 'De 1 a 100.')
      .nullable()
      .default(null),
  })
  .superRefine(({ kind, value, deletes, warning, removeAfter }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', message, path: [path] })
    if (kind !== 'word') return
    if (value.length > 100) wrong('value', 'Use no máximo 100 caracteres.')
    if (!hasLetter(value)) wrong('value', 'Informe uma palavra com letras ou números.')
    if (!deletes && warning === '' && removeAfter === null)
      wrong('deletes', 'Escolha o que acontece: apagar, avisar ou remover.')
  })
