import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { BroadcastIcon, ButtonsIcon, CalendarIcon, EditIcon, LocationIcon, PersonIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { TicketDetail } from '../../tickets-contract.ts'
import { acting, extras } from './acting.ts'

function toSend(ticket: TicketDetail): Command[] {
  const { capabilities, status } = ticket
  const open = (what: 'card' | 'location' | 'buttons' | 'ghost') => () => acting.set({ what, ticket })
  const isOpen = status === 'open'
  const group = t('Conversa')
  return [
    {
      ...{ id: 'send-card', group, label: t('Enviar contato'), icon: PersonIcon, run: open('card') },
      when: () => isOpen && capabilities.contact && may('messages:share'),
    },
    {
      ...{ id: 'send-location', group, label: t('Enviar localização'), icon: LocationIcon, run: open('location') },
      when: () => isOpen && capabilities.location,
    },
    {
      ...{ id: 'send-buttons', group, label: t('Enviar botões'), icon: ButtonsIcon, run: open('buttons') },
      when: () => isOpen && capabilities.buttons !== null,
    },
    {
      ...{ id: 'send-ghost', group, label: t('Avisar todos do grupo'), icon: BroadcastIcon, run: open('ghost') },
      when: () => isOpen && ticket.isGroup && capabilities.mentions,
    },
  ]
}

function ofConversation(ticket: TicketDetail): Command[] {
  const { id, capabilities } = ticket
  return [
    {
      id: 'edit-last',
      group: t('Conversa'),
      label: t('Editar minha última mensagem'),
      icon: EditIcon,
      shortcut: 'shift+e',
      when: () => capabilities.editMinutes !== null,
      run: () => void import('./commands.ts').then(({ editLast }) => editLast({ ticketId: id, capabilities })),
    },
    {
      id: 'day',
      group: t('Conversa'),
      label: t('Ir para uma data'),
      icon: CalendarIcon,
      shortcut: 'd',
      run: () => acting.set({ what: 'day', ticket }),
    },
    ...toSend(ticket),
  ]
}

/** Adds what can be sent beside text and files, and the commands of a conversation. */
export const addExtras = (): void => extras.set({ toSend, ofConversation })
