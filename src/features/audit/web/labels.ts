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

/** Returns the display name of a role; unknown ones unchanged. */
export const profileText = (profile: string): string => ownMember(roleNames, profile) ?? profile

/** Returns the display name of a login method. */
export const methodText = (method: string): string => methods[method] ?? method

/** Returns the name of the acting user, or a text for an unknown one. */
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

/** Returns the display name of a field or setting; unknown ones unchanged. */
export const fieldText = (name: string): string => labelOf(name) ?? fields[name] ?? name

/** Formats the affected records: `nº 7`, `Fila 3`, a setting by its label. */
export const targetText = (target: AuditRow['target']): string =>
  Object.entries(target)
    .map(([name, value]) => (name === 'key' && labelOf(String(value))) || `${fieldText(name)} ${value}`)
    .join(', ')

/** Formats a field's value as text; a list of records by their names. */
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

/** Formats the changes as one line: names, with values unless secret. */
export const changesText = (changes: AuditRow['changes']): string =>
  Object.entries(changes)
    .map(([name, change]) =>
      'before' in change || 'after' in change
        ? `${name}: ${valueText(change.before)} → ${valueText(change.after)}`
        : name,
    )
    .join('; ')
