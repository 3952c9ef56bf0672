import { ownMember } from '#domain/keys.ts'
import { settingsRegistry } from '#kit/settings.ts'
import '#web/registries.ts'
import { roleNames } from '#web/session/roles.ts'
import { t } from '#web/t.ts'
import type { AuditRow } from '../contract.ts'

const methods: Readonly<Record<string, string>> = {
  password: t('Senha'),
  code: t('Código de uso único'),
  passkey: t('Passkey'),
  oidc: t('Conta externa'),
  masterkey: t('Chave mestra'),
  api: t('API'),
}

/** A role as people say it; one that is not known as it is. */
export const profileText = (profile: string): string => ownMember(roleNames, profile) ?? profile

/** How a session was opened, as people say it. */
export const methodText = (method: string): string => methods[method] ?? method

/** Who did it: the name, or that nobody is known. */
export const whoText = ({ userName, userId }: Pick<AuditRow, 'userName' | 'userId'>): string =>
  userName || (userId === null ? t('Ninguém identificado') : t('Usuário {userId}', { userId }))

const fields: Readonly<Record<string, string>> = {
  name: t('Nome'),
  email: 'E-mail',
  username: t('Nome de usuário'),
  phone: t('Telefone'),
  profile: t('Perfil'),
  password: t('Senha'),
  queues: t('Filas'),
  whatsappAllowed: t('Canais'),
  restrictedUser: t('Usuário restrito'),
  menuPermissions: t('Menu'),
  isActive: t('Ativo'),
  isSupport: t('Suporte'),
  isInvited: t('Convite pendente'),
  secondFactor: t('Segundo fator'),
  lastLogin: t('Último acesso'),
  tag: t('Etiqueta'),
  color: t('Cor'),
  queue: t('Fila'),
  group: t('Equipe'),
  id: 'nº',
  userId: t('Usuário'),
  queueId: t('Fila'),
  groupId: t('Equipe'),
  tenantId: t('Empresa'),
  ticketId: t('Atendimento'),
  contactId: t('Contato'),
}

const labelOf = (key: string): string | undefined => ownMember(settingsRegistry, key)?.label

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
  if (value === true) return t('Sim')
  if (value === false) return t('Não')
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
