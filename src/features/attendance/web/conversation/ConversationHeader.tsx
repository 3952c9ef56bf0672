import { Button } from '@mantine/core'
import { Suspense } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import css from '#features/messages/web/parts/conversation.module.css'
import { Tip } from '#features/messages/web/parts/Tip.tsx'
import type { Layout } from '#features/messages/web/registries/layout.ts'
import { usePresence } from '#features/messages/web/ticket/presence.ts'
import { ownerOf } from '#features/tickets/web/choices/names.ts'
import { formatDateTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { BackIcon, PanelIcon, SearchIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'

const Lookers = lazyPart(async () => (await import('#features/tickets/web/list/lookers.tsx')).Lookers)

const WindowRing = lazyPart(async () => (await import('#web/ui/identity/window-ring.tsx')).WindowRing)

const DueRing = lazyPart(async () => (await import('#features/tickets/web/list/DueRing.tsx')).DueRing)

/** Header of a conversation: contact, typing state, other viewers, and commands. */
export function ConversationHeader(props: {
  ticket: TicketDetail
  commands: readonly Command[]
  layout: Layout
  searching: boolean
  contextOpen: boolean
  onBack: () => void
  onSearch: () => void
  onContext: () => void
}) {
  const { ticket, commands, layout, searching, contextOpen, onBack, onSearch, onContext } = props
  const isPhone = layout === 'phone'
  const presence = usePresence(ticket.id)
  const until = ticket.windowUntil
  const main = ['accept', 'reopen', 'resume', 'resolve']
    .map((id) => commands.find((one) => one.id === id && one.when?.() !== false))
    .find((one) => one !== undefined)
  const shown = isPhone ? [] : commands.filter(({ id, when }) => id === 'transfer' && when?.() !== false)
  return (
    <header className={css.header}>
      {(isPhone || layout === 'narrow') && (
        <IconButton size={isPhone ? 40 : 32} aria-label={t('Voltar à lista')} onClick={onBack}>
          <BackIcon size={21} />
        </IconButton>
      )}
      <Who ticket={ticket} onContext={onContext} presence={presence} isPhone={isPhone} />
      <Suspense>{presence.people.length > 0 && <Lookers people={presence.people} />}</Suspense>
      <Suspense>{ticket.sla && <DueRing sla={ticket.sla} pill />}</Suspense>
      <Suspense>{until !== null && ticket.status !== 'closed' && <WindowRing until={until} pill />}</Suspense>
      {!isPhone && <SearchToggle searching={searching} onSearch={onSearch} />}
      <ShownCommands shown={shown} />
      {main && <MainAction command={main} isPhone={isPhone} />}
      <CommandMenu
        commands={commands.filter((one) => one !== main && !shown.includes(one))}
        label={t('Mais ações do atendimento')}
        size={isPhone ? 40 : 32}
      />
      {!isPhone && <ContextToggle contextOpen={contextOpen} onContext={onContext} />}
    </header>
  )
}

function ContextToggle({ contextOpen, onContext }: { contextOpen: boolean; onContext: () => void }) {
  return (
    <Tip label={contextOpen ? t('Esconder os dados') : t('Mostrar os dados')} position="below-end">
      <IconButton aria-label={t('Dados do contato')} aria-pressed={contextOpen} onClick={onContext}>
        <PanelIcon size={19} />
      </IconButton>
    </Tip>
  )
}

function ShownCommands({ shown }: { shown: Command[] }) {
  return shown.map(({ id, label, icon: Icon, shortcut, run }) => (
    <Tip key={id} label={label} shortcut={shortcut}>
      <IconButton aria-label={label} onClick={run}>
        {Icon && <Icon size={19} />}
      </IconButton>
    </Tip>
  ))
}

function SearchToggle({ searching, onSearch }: { searching: boolean; onSearch: () => void }) {
  return (
    <Tip label={t('Buscar na conversa')} shortcut="shift+f">
      <IconButton aria-label={t('Buscar na conversa')} data-active={searching || undefined} onClick={onSearch}>
        <SearchIcon size={19} />
      </IconButton>
    </Tip>
  )
}

function Who({
  ticket,
  onContext,
  presence,
  isPhone,
}: {
  ticket: TicketDetail
  onContext: () => void
  presence: ReturnType<typeof usePresence>
  isPhone: boolean
}) {
  const rest = ticket.isPaused
    ? t('Pausado')
    : ticket.snoozedUntil && t('Adiado até {when}', { when: formatDateTime(ticket.snoozedUntil) })
  return (
    <button type="button" className={css.who} onClick={onContext} title={t('Dados do contato')}>
      <Avatar id={ticket.contactId} name={ticket.name} src={ticket.profilePicUrl} size={38} channel={ticket.channel} />
      <span className={css.names}>
        <b className="g-cut">{ticket.name}</b>
        <span className="g-cut">
          {presence.contact ? (
            <span className={css.typing}>
              {presence.contact === 'recording' ? t('gravando áudio…') : t('digitando…')}
            </span>
          ) : (
            <>
              {rest && <b className={css.resting}>{`${rest} · `}</b>}
              {ownerOf(ticket)}
            </>
          )}
          {!isPhone && ` · ${ticket.whatsapp.name}`}
        </span>
      </span>
    </button>
  )
}

function MainAction({ command, isPhone }: { command: Command; isPhone: boolean }) {
  const { label, icon: Icon, shortcut, run } = command
  if (isPhone)
    return (
      <IconButton size={40} aria-label={label} onClick={run}>
        {Icon && <Icon size={22} />}
      </IconButton>
    )
  return (
    <Tip label={label} shortcut={shortcut}>
      <Button size="sm" variant="light" leftSection={Icon && <Icon size={16} />} onClick={run}>
        {label}
      </Button>
    </Tip>
  )
}
