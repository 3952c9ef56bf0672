/**
 * Display texts of audit events that are not operations, by event name. Operations are recorded under their own names with
 * their own summaries.
 */
export const auditEvents = {
  'session.opened': 'Entrou',
  'session.refused': 'Tentativa de entrada recusada',
  'session.closed': 'Saiu',
  'session.revoked': 'Sessão encerrada à distância',
  'session.reuse': 'Credencial de sessão usada de novo depois de trocada; a sessão foi encerrada',
  'password.requested': 'Pediu um link para nova senha',
  'password.changed': 'Definiu a senha por um link de uso único',
  'password.refused': 'Link de nova senha recusado',
  'email.proven': 'Confirmou o e-mail por um link',
  'email.moved': 'O e-mail foi confirmado por outra conta; a entrada desta passou a ser pelo usuário',
  'secondFactor.refused': 'Segundo fator recusado',
  'masterkey.used': 'Acesso de suporte aberto com a chave mestra',
  'masterkey.refused': 'Chave mestra recusada',
  'settings.changed': 'Configuração alterada pelo sistema',
  'tenant.created': 'Empresa criada',
  'installation.created': 'Instalação criada',
  'audit.anchored': 'Fim de cada trilha anotado',
  'audit.expired': 'Registros removidos pelo prazo de guarda',
} as const

/** Name of an audit event that is not an operation. */
export type AuditEventName = keyof typeof auditEvents

const secret = /pass|senha|secret|segredo|token|hash|api_?key|private|recovery|totp|credential|code$/i

/** Whether a field's value is omitted from the audit log because of its name; the name itself is recorded. */
export const isSecretName = (name: string): boolean => secret.test(name)
