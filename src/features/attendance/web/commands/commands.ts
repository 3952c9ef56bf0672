import { ASSISTANTS } from '#domain/tickets/assistants.ts'
import { whyTitle } from '#features/distribution/web/title.ts'
import type { TicketDetail, TicketRow } from '#features/ledger/ticket-rows.ts'
import { giveBack, setUnread } from '#features/tickets/web/actions/actions.ts'
import type { Doors } from '#features/tickets/web/actions/doors.ts'
import { mayPeek } from '#features/tickets/web/actions/may-peek.ts'
import { ticketActs } from '#features/tickets/web/actions/registry.ts'
import { clearMemory } from '#features/tickets/web/asked/memory.ts'
import { choose } from '#features/tickets/web/choices/selection.ts'
import { bringBack, callOwner, mendDates, readAll, readOwn, resume } from '#features/tickets/web/commands/plain.ts'
import { resolve } from '#features/tickets/web/commands/resolve.ts'
import { setFollowing } from '#features/tickets/web/followed/follow.ts'
import { followed } from '#features/tickets/web/followed/followed.ts'
import { drag } from '#features/tickets/web/moving/drag.ts'
import { isSettingOn, may } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { openPath } from '#web/shell/route.ts'
import { t } from '#web/t.ts'
import {
  BellIcon,
  BotIcon,
  CalendarIcon,
  CheckIcon,
  ClearIcon,
  DistributeIcon,
  DoubleCheckIcon,
  FollowIcon,
  MacroIcon,
  MoveIcon,
  PauseIcon,
  PhoneIcon,
  PlayIcon,
  ReturnIcon,
  ShowIcon,
  SignalIcon,
  SnoozeIcon,
  TaskIcon,
  UnreadIcon,
  UsersIcon,
  VisibilityIcon,
} from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'

const group = t('Este atendimento')
const attention = t('Acompanhar')

function ofTicket(row: TicketRow | TicketDetail, doors: Doors): Command[] {
  const { ask } = doors
  const { id, status } = row
  const isMine = row.userId === viewer().userId
  const isFollowed = followed.get().has(id)
  return [
    {
      id: 'return',
      group,
      label: t('Devolver à fila'),
      icon: ReturnIcon,
      shortcut: 'd',
      when: () => status === 'open',
      run: () => void giveBack(id),
    },
    {
      id: 'move',
      group,
      label: t('Mover para…'),
      icon: MoveIcon,
      shortcut: 'm',
      run: () => ask('move', id),
    },
    {
      id: 'resolve-unrated',
      group,
      label: t('Resolver sem avaliação'),
      icon: CheckIcon,
      when: () => status === 'open' && !row.isGroup && isSettingOn('ratingStoreUse'),
      run: () => resolve(row, doors, { isUnrated: true }),
    },
    { id: 'macro', group, label: t('Usar macro'), icon: MacroIcon, shortcut: 'shift+m', run: () => ask('macro', id) },
    {
      id: 'snooze',
      group,
      label: t('Adiar'),
      icon: SnoozeIcon,
      shortcut: 'h',
      when: () => status !== 'closed' && row.snoozedUntil === null,
      run: () => ask('snooze', id),
    },
    {
      id: 'wake',
      group,
      label: t('Trazer de volta'),
      icon: SnoozeIcon,
      shortcut: 'h',
      when: () => row.snoozedUntil !== null,
      run: () => void bringBack(row),
    },
    {
      id: 'pause',
      group,
      label: t('Pausar'),
      icon: PauseIcon,
      when: () => status === 'open' && !row.isPaused && isSettingOn('allowPause'),
      run: () => ask('pause', id),
    },
    {
      id: 'resume',
      group,
      label: t('Retomar'),
      icon: PlayIcon,
      when: () => row.isPaused,
      run: () => void resume(row),
    },
    {
      id: 'channel',
      group,
      label: t('Mudar de canal'),
      icon: SignalIcon,
      when: () => status !== 'closed',
      run: () => ask('channel', id),
    },
    {
      id: 'chatbot',
      group,
      label: t('Passar para o chatbot'),
      icon: BotIcon,
      // Only the open conversation knows whether its channel has chatbots.
      when: () => 'capabilities' in row && row.capabilities.chatbot && status !== 'closed',
      run: () => ask('chatbot', id),
    },
    {
      id: 'phone-call',
      group,
      label: t('Ligar por um assistente'),
      icon: PhoneIcon,
      when: () => may('assistants:call') && 'capabilities' in row && row.capabilities.phoneCalls,
      run: () => ask('phone-call', id),
    },
    {
      id: 'clear-memory',
      group,
      label: t('Limpar memória dos assistentes'),
      icon: ClearIcon,
      when: () => ASSISTANTS.some((name) => row[`${name}Status`] === 'enabled'),
      run: () => void clearMemory({ ticketId: id }, row.name),
    },
    {
      id: 'task',
      group: attention,
      label: t('Criar tarefa'),
      icon: TaskIcon,
      when: () => may('tasks:write'),
      run: () => openPath(`/tarefas?id=novo&atendimento=${id}`),
    },
    {
      id: 'group',
      group: attention,
      label: t('Usuários do Grupo'),
      icon: UsersIcon,
      when: () => row.isGroup && !('capabilities' in row && !row.capabilities.groups),
      run: () => ask('group', id),
    },
    {
      id: 'notify',
      group: attention,
      label: t('Chamar quem atende'),
      icon: BellIcon,
      when: () => status === 'open' && row.userId !== null && !isMine,
      run: () => void callOwner(row, row.username ?? ''),
    },
    {
      id: 'follow',
      group: attention,
      label: isFollowed ? t('Deixar de seguir') : t('Seguir'),
      icon: FollowIcon,
      when: () => isFollowed || !isMine,
      run: () => void setFollowing(row, !isFollowed),
    },
    {
      id: 'unread',
      group: attention,
      label: row.unreadMessages > 0 ? t('Marcar como lida') : t('Marcar como não lida'),
      icon: UnreadIcon,
      shortcut: 'u',
      run: () => void setUnread(id, row.unreadMessages > 0 ? 0 : 1),
    },
    {
      id: 'choose',
      group: attention,
      label: t('Selecionar'),
      icon: DoubleCheckIcon,
      shortcut: 'x',
      run: () => choose(id),
    },
    {
      id: 'peek',
      group: attention,
      label: t('Espiar'),
      icon: ShowIcon,
      when: () => status !== 'closed' && mayPeek(),
      run: () => ask('peek', id),
    },
    {
      id: 'visibility',
      group: attention,
      label: t('Por que vejo este atendimento?'),
      icon: VisibilityIcon,
      run: () => ask('visibility', id),
    },
    {
      id: 'distribution',
      group: attention,
      label: whyTitle(row, viewer().userId),
      icon: DistributeIcon,
      when: () => status !== 'closed' && !row.isGroup,
      run: () => ask('distribution', id),
    },
    {
      id: 'flow',
      group: attention,
      label: t('Por que o chatbot fez isso?'),
      icon: BotIcon,
      when: () => !row.isGroup,
      run: () => ask('flow', id),
    },
    {
      id: 'assistant',
      group: attention,
      label: t('Por que o assistente respondeu isso?'),
      icon: BotIcon,
      when: () => !row.isGroup,
      run: () => ask('assistant', id),
    },
  ]
}

const list = t('Atendimentos')
const ofList: readonly Command[] = [
  { id: 'read-own', group: list, label: t('Marcar as minhas como lidas'), icon: ShowIcon, run: () => void readOwn() },
  {
    id: 'read-all',
    group: list,
    label: t('Marcar tudo como lido, da empresa toda'),
    icon: ShowIcon,
    when: () => may('tickets:maintain'),
    run: () => void readAll(),
  },
  {
    id: 'mend-dates',
    group: list,
    label: t('Conferir as datas dos atendimentos'),
    icon: CalendarIcon,
    when: () => may('tickets:maintain'),
    run: () => void mendDates(),
  },
]

const acts = { ofTicket, ofList, drag }

/** Registers the less frequent commands. */
export const addTicketActs = (): void => ticketActs.set(acts)
