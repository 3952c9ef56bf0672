import { formatDocument } from '#domain/documents/documents.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { t } from '#web/t.ts'
import { shownOf } from '#web/ui/inputs/mask.ts'
import type { ContactChange } from '../contract.ts'

const NAMES: Readonly<Record<string, string>> = {
  name: t('Nome'),
  number: t('Número'),
  email: t('E-mail'),
  cpf: 'CPF/CNPJ',
  firstName: t('Primeiro nome'),
  lastName: t('Sobrenome'),
  businessName: t('Empresa'),
  birthdayDate: t('Aniversário'),
  kanban: t('Etapa do kanban'),
  picture: t('Foto'),
}

const SWITCHES: Readonly<Record<string, readonly [on: string, off: string]>> = {
  blocked: [t('Bloqueado'), t('Desbloqueado')],
  chatbotBlocked: [t('Chatbot bloqueado'), t('Chatbot liberado')],
}

const shown = (field: string, value: string): string => {
  if (field === 'number') return formatPhone(value) || value
  if (field === 'cpf') return formatDocument(value)
  if (field === 'birthdayDate') return shownOf('data', value)
  if (value === 'true' || value === 'false') return value === 'true' ? t('Sim') : t('Não')
  return value
}

/** Formats a change of a contact as one line: “Nome: Ana → Ana Lima”. */
export function changeText({
  field,
  name,
  before,
  after,
}: Pick<ContactChange, 'field' | 'name' | 'before' | 'after'>): string {
  const gone = t('que não existe mais')
  if (field === 'tag' || field === 'wallet') {
    const what = { name: name ?? gone }
    if (field === 'tag') return after ? t('Etiqueta {name} adicionada', what) : t('Etiqueta {name} tirada', what)
    return after ? t('Incluído na carteira de {name}', what) : t('Tirado da carteira de {name}', what)
  }
  const state = SWITCHES[field]
  if (state) return after === 'true' ? state[0] : state[1]
  const label = NAMES[field] ?? name ?? t('Campo {name}', { name: gone })
  const [from, to] = [shown(field, before) || t('vazio'), shown(field, after) || t('vazio')]
  return `${label}: ${from} → ${to}`
}
