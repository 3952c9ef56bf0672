import { itemAt } from '#domain/present.ts'
import { notifyError, uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatDay } from '#web/format.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { lab } from '../addresses.ts'
import type { LabPhone } from '../contract.ts'

const dayMs = 86_400_000

/** Texts of an example conversation, by the phone's person (in a group: its members in turn) or the team. */
const talk: readonly [isTeam: boolean, text: string][] = [
  [false, t('Oi! Vocês ainda fazem entrega aos sábados?')],
  [true, t('Fazemos sim, até as 13h.')],
  [false, t('Ótimo. Deixo combinado para este sábado então')],
  [true, t('Combinado! Qualquer mudança, avise por aqui.')],
  [false, t('Obrigado, chegou tudo certo 👍')],
]

/** Stores a conversation of nine days ago on a phone, above all its messages; the product gets it only when it is imported. */
export async function saveOlder(phone: LabPhone, onImport: () => void): Promise<void> {
  const first = Date.now() - 9 * dayMs
  const messages = talk.map(([isTeam, body], index) => ({
    ...{ id: uuid(), fromPhone: !isTeam, body, timestamp: first + index * 4 * 60_000 },
    ...(isTeam || !phone.isGroup ? {} : { senderId: itemAt(phone.members, index % phone.members.length).phoneId }),
  }))
  try {
    await call(lab.keep, { params: { id: phone.id }, body: { messages } }, { quiet: true })
    const title = t('{name} guarda uma conversa de {day}', { name: phone.name, day: formatDay(first) })
    const text = phone.isLinked
      ? t('Quem ler o código em seguida recebe essa conversa do celular; depois, importe as conversas do canal.')
      : t('Ela fica só no telefone até você importar as conversas do canal.')
    const canImport = may('messages:import')
    notify({ tone: 'pos', title, text, ...(canImport ? { action: { label: t('Importar'), run: onImport } } : {}) })
  } catch (error) {
    notifyError(error)
  }
}
