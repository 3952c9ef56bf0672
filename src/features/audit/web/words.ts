import { type SettingKey, settingsRegistry } from '#kit/settings.ts'
import { roleNames } from '#web/session/roles.ts'
import type { AuditRow } from '../contract.ts'

const methods: Readonly<Record<string, string>> = {
  password: 'Senha',
  code: 'Código de uso único',
  passkey: 'Passkey',
  oidc: 'Conta externa',
  masterkey: 'Chave mestra',
}

/** A role as people say it; one that is not known as it is. */
export const profileText = (profile: string): string =>
  (roleNames as Readonly<Record<string, string>>)[profile] ?? profile

/** How a session was opened, as people say it. */
export const methodText = (method: string): string => methods[method] ?? method

/** Who did it: the name, or that nobody is known. */
export const whoText = ({ userName, userId }: Pick<AuditRow, 'userName' | 'userId'>): string =>
  userName || (userId === null ? 'Ninguém identificado' : `Usuário ${userId}`)

const fields: Readonly<Record<string, string>> = {
  name: 'Nome',
  email: 'E-mail',
  username: 'Nome de usuário',
  phone: 'Telefone',
  profile: 'Perfil',
  password: 'Senha',
  queues: 'Filas',
  whatsappAllowed: 'Conexões',
  restrictedUser: 'Usuário restrito',
  menuPermissions: 'Menu',
  isActive: 'Ativo',
  isSupport: 'Suporte',
  isInvited: 'Convite pendente',
  secondFactor: 'Segundo fator',
  lastLogin: 'Último acesso',
  tag: 'Etiqueta',
  color: 'Cor',
  queue: 'Fila',
  group: 'Equipe',
  id: 'nº',
  userId: 'Usuário',
  queueId: 'Fila',
  groupId: 'Equipe',
  tenantId: 'Empresa',
  ticketId: 'Atendimento',
  contactId: 'Contato',
}

const labelOf = (key: string): string | undefined =>
  Object.hasOwn(settingsRegistry, key) ? settingsRegistry[key as SettingKey].label : undefined

/** The name of a field or a setting, as people say it; one that is not known as it is. */
export const fieldText = (name: string): string => labelOf(name) ?? fields[name] ?? name

/** On what: `nº 7`, `Fila 3`, a setting by its label. */
export const targetText = (target: AuditRow['target']): string =>
  Object.entries(target)
    .map(([name, value]) => (name === 'key' && labelOf(String(value))) || `${fieldText(name)} ${value}`)
    .join(', ')

/** A value of a field as text; of records in a list their names. */
export const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (value === true) return 'Sim'
  if (value === false) return 'Não'
  if (Array.isArray(value)) return value.map(nameOf).join(', ') || '—'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function nameOf(record: unknown): string {
  const { queue, name } = (record ?? {}) as { queue?: unknown; name?: unknown }
  return typeof (queue ?? name) === 'string' ? String(queue ?? name) : valueText(record)
}

/** What changed, on one line: names, with values where they are told. */
export const changesText = (changes: AuditRow['changes']): string =>
  Object.entries(changes)
    .map(([name, change]) =>
      'before' in change || 'after' in change
        ? `${name}: ${valueText(change.before)} → ${valueText(change.after)}`
        : name,
    )
    .join('; ')
