import type { GroupItemState, GroupJobKind, GroupJobStatus, GroupRole } from '#domain/groups/tools.ts'
import { t } from '#web/t.ts'

type Tone = 'plain' | 'info' | 'pos' | 'warn' | 'neg'

/** Display names of roles in a group. */
export const ROLES: Readonly<Record<GroupRole, string>> = {
  owner: t('Dono'),
  admin: t('Administrador'),
  member: t('Participante'),
}

/** Display names of job kinds. */
export const KINDS: Readonly<Record<GroupJobKind, string>> = {
  create: t('Criar grupos'),
  title: t('Mudar título'),
  description: t('Mudar descrição'),
  picture: t('Mudar imagem'),
  admins_only: t('Quem pode escrever'),
  promote: t('Promover'),
  demote: t('Rebaixar'),
  add: t('Adicionar'),
  remove: t('Remover'),
}

export const STATUSES: Readonly<Record<GroupJobStatus, { label: string; tone: Tone }>> = {
  processing: { label: t('Processando'), tone: 'info' },
  paused: { label: t('Pausada'), tone: 'warn' },
  completed: { label: t('Concluída'), tone: 'pos' },
  canceled: { label: t('Cancelada'), tone: 'neg' },
}

/** Display names and tones of a group's states within a job. */
export const STATES: Readonly<Record<GroupItemState, { label: string; tone: Tone }>> = {
  waiting: { label: t('Na fila'), tone: 'plain' },
  doing: { label: t('Mudando'), tone: 'info' },
  done: { label: t('Feito'), tone: 'pos' },
  partial: { label: t('Em parte'), tone: 'warn' },
  failed: { label: t('Falhou'), tone: 'neg' },
  uncertain: { label: t('Incerto'), tone: 'warn' },
  skipped: { label: t('Não feito'), tone: 'plain' },
}
