import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { ButtonsIcon, LocationIcon, PersonIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { TicketDetail } from '../../tickets-contract.ts'
import { acting } from './acting.ts'

/** What can be sent beside text and files, as the channel carries it. */
export function extraCommands(ticket: TicketDetail): Command[] {
  const { capabilities, status } = ticket
  const open = (what: 'card' | 'location' | 'buttons') => () => acting.set({ what, ticket })
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
  ]
}
