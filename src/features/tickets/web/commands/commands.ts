import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { CheckIcon, ReopenIcon, TakeIcon, TransferIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import { accept, reopen } from '../actions/actions.ts'
import type { Doors } from '../actions/doors.ts'
import { ticketActs } from '../actions/registry.ts'
import { resolve } from './resolve.ts'

const group = t('Este atendimento')

/** Returns all commands of a ticket for its status; used by header, row menu, shortcuts and palette. */
export function ticketCommands(row: TicketRow, doors: Doors): Command[] {
  const { open, follow, ask } = doors
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
      run: () => ask('transfer', id),
    },
    {
      id: 'resolve',
      group,
      label: t('Resolver'),
      icon: CheckIcon,
      shortcut: 'e',
      when: () => status !== 'closed',
      run: () => resolve(row, doors),
    },
    ...ticketActs.get().ofTicket(row, doors),
  ]
}
