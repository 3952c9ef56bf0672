import { isSettingOn, may } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import {
  BellIcon,
  BotIcon,
  CheckIcon,
  DoubleCheckIcon,
  PauseIcon,
  PlayIcon,
  ReopenIcon,
  ReturnIcon,
  ShowIcon,
  SignalIcon,
  SnoozeIcon,
  TakeIcon,
  TransferIcon,
  UnreadIcon,
} from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { TicketDetail, TicketRow } from '../tickets-contract.ts'
import { accept, giveBack, reopen, setUnread } from './actions.ts'
import { choose } from './list/selection.ts'
import { resolve } from './resolve.ts'

/** What a ticket's commands can open around it. */
export type Doors = {
  open: (id: number) => void
  /** Opens a ticket that has just been taken; the list shows where it stands now. */
  follow: (id: number) => void
  transfer: (id: number) => void
  peek: (id: number) => void
  /** Asks what a command needs to know, and does it. */
  ask: (what: Asking, id: number) => void
}

/** A command that asks something first. */
export type Asking = 'snooze' | 'pause' | 'channel' | 'chatbot'

const group = t('Este atendimento')

const plain = () => import('./acts/plain.ts')

/** Where the company controls it, users without the wide view do not peek. */
const mayPeek = () => !isSettingOn('controlFeatures') || may('tickets:all')

/** Only the open conversation knows whether there is a chat flow to pass it to. */
const hasChatbot = (row: TicketRow | TicketDetail) => 'capabilities' in row && row.capabilities.chatbot

/** Everything that can be done with a ticket, as its status allows; shared by header, row menu, shortcuts and palette. */
export function ticketCommands(row: TicketRow, { open, follow, transfer, peek, ask }: Doors): Command[] {
  const { id, status } = row
  const isMine = row.userId === viewer().userId
  return [
    {
      id: 'accept',
      group,
      label: row.userId === null || isMine ? t('Atender') : t('Assumir'),
      icon: TakeIcon,
      shortcut: 'a',
      when: () => status === 'pending' || (status === 'open' && !isMine),
      run: () => void accept(row).then((done) => done && follow(id)),
    },
    {
      id: 'reopen',
      group,
      label: t('Reabrir'),
      icon: ReopenIcon,
      when: () => status === 'closed',
      run: () => void reopen(id, open).then((done) => done && follow(id)),
    },
    {
      id: 'transfer',
      group,
      label: t('Transferir'),
      icon: TransferIcon,
      shortcut: 't',
      when: () => status !== 'closed',
      run: () => transfer(id),
    },
    {
      id: 'return',
      group,
      label: t('Devolver à fila'),
      icon: ReturnIcon,
      when: () => status === 'open',
      run: () => void giveBack(id),
    },
    {
      id: 'resolve',
      group,
      label: t('Resolver'),
      icon: CheckIcon,
      shortcut: 'e',
      when: () => status !== 'closed',
      run: () => void resolve(row),
    },
    {
      id: 'resolve-unrated',
      group,
      label: t('Resolver sem avaliação'),
      icon: CheckIcon,
      when: () => status === 'open' && !row.isGroup && isSettingOn('ratingStoreUse'),
      run: () => void resolve(row, true),
    },
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
      run: () => void plain().then((acts) => acts.bringBack(row)),
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
      run: () => void plain().then((acts) => acts.resume(row)),
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
      label: t('Passar ao chatbot'),
      icon: BotIcon,
      when: () => hasChatbot(row) && status !== 'closed',
      run: () => ask('chatbot', id),
    },
    {
      id: 'notify',
      group,
      label: t('Chamar quem atende'),
      icon: BellIcon,
      when: () => status === 'open' && row.userId !== null && !isMine,
      run: () => void plain().then((acts) => acts.callOwner(row, row.username ?? '')),
    },
    {
      id: 'unread',
      group,
      label: row.unreadMessages > 0 ? t('Marcar como lida') : t('Marcar como não lida'),
      icon: UnreadIcon,
      shortcut: 'u',
      run: () => void setUnread(id, row.unreadMessages > 0 ? 0 : 1),
    },
    { id: 'choose', group, label: t('Selecionar'), icon: DoubleCheckIcon, shortcut: 'x', run: () => choose(id) },
    {
      id: 'peek',
      group,
      label: t('Espiar'),
      icon: ShowIcon,
      when: () => status !== 'closed' && mayPeek(),
      run: () => peek(id),
    },
  ]
}
