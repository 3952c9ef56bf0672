import { roleNames } from '#web/roles.ts'
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

/** On what: `nº 7`, `queueId 3`. */
export const targetText = (target: AuditRow['target']): string =>
  Object.entries(target)
    .map(([name, value]) => (name === 'id' ? `nº ${value}` : `${name} ${value}`))
    .join(', ')

/** A value of a field as text. */
export const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (value === true) return 'Sim'
  if (value === false) return 'Não'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
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
