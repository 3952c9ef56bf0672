import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { acting, extras } from '#features/messages/web/acting/acting.ts'
import { chosenMessages } from '#features/messages/web/acting/chosen.ts'
import { useThreadFirst } from '#features/messages/web/cache/thread-cache.ts'
import type { Moment } from '#features/messages/web/cache/thread-data.ts'
import type { ScheduleSubject } from '#features/messages/web/composer/schedule-subject.ts'
import { useViewing } from '#features/messages/web/composer/typing.ts'
import type { ComposerHandle } from '#features/messages/web/composer/use-composer.ts'
import css from '#features/messages/web/parts/conversation.module.css'
import type { Layout } from '#features/messages/web/registries/layout.ts'
import { useFileDrop } from '#features/messages/web/thread/use-file-drop.ts'
import { ticketRow } from '#features/messages/web/ticket/store.ts'
import { useLogsFirst, useTicket } from '#features/messages/web/ticket/ticket.ts'
import { beginReading, markSeen } from '#features/tickets/web/actions/actions.ts'
import type { Doors } from '#features/tickets/web/actions/doors.ts'
import { ticketActs } from '#features/tickets/web/actions/registry.ts'
import { ticketCommands } from '#features/tickets/web/commands/commands.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { may } from '#web/session/permissions.ts'
import { useCommands } from '#web/shell/commands.ts'
import { toTextTarget } from '#web/shell/key-guard.ts'
import { useLayer } from '#web/shell/layers.ts'
import { t } from '#web/t.ts'
import {
  BackIcon,
  DownloadIcon,
  HoursIcon,
  NoteIcon,
  ReplyIcon,
  SearchIcon,
  TrailIcon,
  UploadIcon,
} from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import { ConversationHeader } from './ConversationHeader.tsx'
import { Thread } from './Thread.tsx'
import { Writing } from './Writing.tsx'

const ActDialog = lazyPart(async () => (await import('./ActDialog.tsx')).ActDialog)
const parts = () => import('#features/messages/web/thread/rare-parts.ts')
const ChosenMessages = lazyPart(async () => (await parts()).ChosenMessages)
const ExportDialog = lazyPart(async () => (await import('#features/messages/web/thread/ExportDialog.tsx')).ExportDialog)
const Missing = lazyPart(async () => (await parts()).Missing)
const ScheduleDialog = lazyPart(async () => (await import('#features/schedules/web/ScheduleDialog.tsx')).ScheduleDialog)
const PinnedBar = lazyPart(async () => (await parts()).PinnedBar)
const ThreadSearch = lazyPart(async () => (await parts()).ThreadSearch)

/** Conversation of one ticket: header, search, messages and composer. */
export function Conversation(props: {
  id: number
  layout: Layout
  doors: Doors
  /** Moment in the URL, applied once. */
  moment: Moment | null
  contextOpen: boolean
  takesFocus: boolean
  onBack: () => void
  onContext: () => void
  onLogs: () => void
}) {
  const { id, layout, doors, moment, contextOpen, takesFocus, onBack, onContext, onLogs } = props
  useThreadFirst(id)
  const { ticket, error, refetch } = useTicket(id)
  useLogsFirst(id)
  const [searching, setSearching] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [mark, setMark] = useState('')
  const [jump, setJump] = useState<Moment | null>(moment)
  const [scheduling, setScheduling] = useState<ScheduleSubject | null>(null)
  const composer = useRef<ComposerHandle>(null)
  const doing = acting.use()
  const isChoosing = chosenMessages.use() !== null
  const more = extras.use()
  const [unread] = useState(() => ticketRow(id)?.unreadMessages)
  useViewing(id)
  useEffect(() => beginReading(id), [id])
  useEffect(() => setJump(moment), [moment])
  const isThere = ticket !== undefined
  useEffect(() => {
    if (isThere && moment?.reply) composer.current?.focus()
  }, [isThere, moment])
  const closeSearch = useCallback(() => {
    setSearching(false)
    setMark('')
  }, [])
  useLayer(searching, closeSearch)

  const acts = ticketActs.use()
  const commands = useMemo<Command[]>(() => {
    if (!ticket || !acts) return []
    const here = t('Conversa')
    return [
      ...ticketCommands(ticket, doors).filter((one) => one.id !== 'peek'),
      {
        id: 'search',
        group: here,
        label: t('Buscar na conversa'),
        icon: SearchIcon,
        shortcut: 'shift+f',
        run: () => setSearching(true),
      },
      {
        id: 'note',
        group: here,
        label: t('Escrever nota interna'),
        icon: NoteIcon,
        shortcut: 'n',
        run: () => composer.current?.note(),
      },
      {
        id: 'schedule',
        group: t('Enviar'),
        label: t('Agendar mensagem'),
        icon: HoursIcon,
        run: () => (composer.current ? composer.current.schedule() : setScheduling(newMessage)),
      },
      ...more.ofConversation(ticket),
      { id: 'logs', group: here, label: t('Histórico do atendimento'), icon: TrailIcon, run: onLogs },
      {
        id: 'export',
        group: here,
        label: t('Exportar conversa'),
        icon: DownloadIcon,
        when: () => may('messages:export'),
        run: () => setExporting(true),
      },
    ]
  }, [ticket, doors, onLogs, acts, more])
  const keys = useMemo<Command[]>(
    () => [
      {
        id: 'write',
        group: t('Conversa'),
        label: t('Responder'),
        icon: ReplyIcon,
        shortcut: 'r',
        run: () => composer.current?.focus(),
      },
      {
        id: 'leave',
        group: t('Conversa'),
        label: t('Sair da conversa'),
        icon: BackIcon,
        shortcut: 'esc',
        run: onBack,
      },
    ],
    [onBack],
  )
  useCommands(commands)
  useCommands(keys)
  useEffect(() => {
    if (doing?.what === 'edit' && !document.querySelector('[data-edited]')) setJump(doing.message)
  }, [doing])
  // After an action on a message or the conversation the focus returns to the composer.
  const under = doing ?? scheduling ?? exporting
  useEffect(() => (under ? toTextTarget : undefined), [under])
  useEffect(() => () => acting.set(null), [])

  const { isOver, handlers } = useFileDrop((files) => composer.current?.addFiles(files))
  const onSeen = useCallback((last: MessageRow) => markSeen(id, last), [id])

  if (error && !ticket)
    return (
      <Suspense>
        <Missing error={error} retry={() => void refetch()} onBack={onBack} />
      </Suspense>
    )
  if (!ticket) return <section className={css.conversation} aria-busy="true" />
  return (
    <section className={css.conversation} aria-label={t('Conversa com {name}', { name: ticket.name })} {...handlers}>
      <ConversationHeader
        ticket={ticket}
        commands={commands}
        layout={layout}
        searching={searching}
        contextOpen={contextOpen}
        onBack={onBack}
        onSearch={() => (searching ? closeSearch() : setSearching(true))}
        onContext={onContext}
      />
      {searching && (
        <Suspense>
          <ThreadSearch ticketId={id} onMark={setMark} onShow={setJump} onClose={closeSearch} />
        </Suspense>
      )}
      {ticket.pinned.length > 0 && (
        <Suspense>
          <PinnedBar ticket={ticket} onShow={(timestamp) => setJump({ timestamp })} />
        </Suspense>
      )}
      <Thread
        ticketId={id}
        unread={unread ?? ticket.unreadMessages}
        moment={jump}
        mark={mark}
        canQuote={ticket.capabilities.quote && ticket.status === 'open'}
        scheduled={ticket.scheduledMessages}
        capabilities={ticket.capabilities}
        onReply={(message) => composer.current?.reply(message)}
        onUndone={(message) => composer.current?.restore(message)}
        onChannel={(message) => {
          composer.current?.restore(message)
          doors.ask('channel', id)
        }}
        onStart={(contactId) =>
          void import('#features/tickets/web/actions/start.ts').then(({ startWith }) =>
            startWith(contactId, ticket.whatsappId, doors.open),
          )
        }
        onSeen={onSeen}
      />
      <Suspense>{isChoosing && <ChosenMessages ticketId={id} />}</Suspense>
      <Writing ticket={ticket} composer={composer} doors={doors} takesFocus={takesFocus} onSchedule={setScheduling} />
      <Suspense>
        {doing && <ActDialog key={doing.what} acting={doing} ticket={ticket} onOpen={doors.open} onShow={setJump} />}
      </Suspense>
      <Suspense>{exporting && <ExportDialog ticketId={id} onClose={() => setExporting(false)} />}</Suspense>
      {scheduling && (
        <Suspense>
          <ScheduleDialog
            ticketId={id}
            name={ticket.name}
            subject={scheduling}
            abilities={ticket.capabilities}
            onClose={() => setScheduling(null)}
          />
        </Suspense>
      )}
      {isOver && ticket.capabilities.media && (
        <div className={css.dropZone}>
          <UploadIcon size={30} />
          <p>{t('Solte os arquivos para anexar')}</p>
        </div>
      )}
    </section>
  )
}

/** New message written in the scheduling dialog. */
const newMessage: ScheduleSubject = { body: '', onDone: () => {} }
