import { historyEvents } from '#features/history/addresses.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { acting, extras } from '#features/messages/web/acting/acting.ts'
import { on } from '#web/realtime/realtime.ts'
import { may } from '#web/session/permissions.ts'
import { callCommand } from '#web/shell/call-command.ts'
import { t } from '#web/t.ts'
import {
  BotIcon,
  BroadcastIcon,
  ButtonsIcon,
  CalendarIcon,
  EditIcon,
  LocationIcon,
  MacroIcon,
  MassTemplateIcon,
  PersonIcon,
  ProtocolIcon,
  RefreshIcon,
} from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'

/** Commands with a dialog, and whether the ticket's channel supports them. */
const asked = (): readonly (readonly [
  'card' | 'location' | 'interactive' | 'poll' | 'ghost' | 'template',
  string,
  Command['icon'],
  (ticket: TicketDetail) => unknown,
])[] => [
  ['card', t('Enviar contato'), PersonIcon, ({ capabilities: can }) => can.contact && may('messages:share')],
  ['location', t('Enviar localização'), LocationIcon, ({ capabilities: can }) => can.location],
  [
    'interactive',
    t('Mensagem interativa'),
    ButtonsIcon,
    ({ capabilities: can }) => can.buttons || can.list || can.link || can.form || can.locationRequest,
  ],
  ['poll', t('Enviar enquete'), ButtonsIcon, ({ capabilities: can }) => can.poll],
  ['template', t('Enviar modelo'), MassTemplateIcon, ({ capabilities: can }) => can.templates],
  ['ghost', t('Avisar todos do grupo'), BroadcastIcon, ({ capabilities: can, isGroup }) => isGroup && can.mentions],
]

function toSend(ticket: TicketDetail): Command[] {
  const isOpen = ticket.status === 'open'
  const group = t('Enviar')
  return [
    ...asked().map(
      ([what, label, icon, can]): Command => ({
        ...{ id: `send-${what}`, group, label, icon, run: () => acting.set({ what, ticket }) },
        when: () => isOpen && Boolean(can(ticket)),
      }),
    ),
    {
      ...{ id: 'send-protocol', group, label: t('Enviar protocolo'), icon: ProtocolIcon },
      when: () => isOpen,
      run: () => void import('#features/notes/web/send-protocol.ts').then(({ sendProtocol }) => sendProtocol(ticket)),
    },
  ]
}

const copilot = (ticket: TicketDetail): Command => ({
  ...{ id: 'copilot', group: t('Conversa'), label: t('Copiloto'), icon: BotIcon, shortcut: 'shift+c' },
  when: () => may('copilot:use'),
  run: () => acting.set({ what: 'copilot', ticket }),
})

// The conversation's menu shows it among the ticket commands.
const inComposer = (ticket: TicketDetail): Command[] => [
  copilot(ticket),
  ...toSend(ticket),
  {
    ...{ id: 'use-macro', group: t('Conversa'), label: t('Usar macro'), icon: MacroIcon },
    run: () => acting.set({ what: 'macro', ticket }),
  },
]

function ofConversation(ticket: TicketDetail): Command[] {
  const { id, capabilities } = ticket
  return [
    copilot(ticket),
    { ...callCommand({ number: ticket.contact.number, isGroup: ticket.isGroup }), group: t('Conversa') },
    {
      id: 'sync-history',
      group: t('Conversa'),
      label: t('Sincronizar histórico'),
      icon: RefreshIcon,
      when: () => capabilities.history && may('messages:import'),
      run: () =>
        void import('#features/history/web/imports.ts').then(({ syncConversation }) => syncConversation(ticket)),
    },
    {
      id: 'edit-last',
      group: t('Conversa'),
      label: t('Editar minha última mensagem'),
      icon: EditIcon,
      shortcut: 'shift+e',
      when: () => capabilities.editMinutes !== null,
      run: () =>
        void import('#features/messages/web/acts/commands.ts').then(({ editLast }) =>
          editLast({ ticketId: id, capabilities }),
        ),
    },
    {
      id: 'day',
      group: t('Conversa'),
      label: t('Ir para uma data'),
      icon: CalendarIcon,
      shortcut: 'shift+d',
      run: () => acting.set({ what: 'day', ticket }),
    },
    ...toSend(ticket),
  ]
}

/** Registers the other sendable things, and the commands of a conversation. */
export function addExtras(): void {
  extras.set({ toSend: inComposer, ofConversation })
  // Imported messages cause no other event.
  on(
    historyEvents.refresh,
    () => void import('#features/messages/web/cache/thread-cache.ts').then((cache) => cache.resyncThreads()),
  )
}
