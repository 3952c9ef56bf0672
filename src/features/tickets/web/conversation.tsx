import { Button } from '@mantine/core'
import {
  type DragEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Composer, type ComposerHandle, type Moment, Thread, useViewing } from '#features/messages/web/index.ts'
import { isApiError, sentence } from '#web/api.ts'
import { useCommands } from '#web/commands.ts'
import { stored, viewer } from '#web/session.ts'
import { t } from '#web/t.ts'
import type { Command } from '#web/ui/command.ts'
import { BlockIcon, NoteIcon, SearchIcon, TrailIcon, UploadIcon } from '#web/ui/icons.ts'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useNow } from '#web/ui/use-now.ts'
import type { TicketDetail } from '../contract.ts'
import { accept, beginReading, markSeen, reopen, resolve } from './actions.ts'
import { useColleagues } from './choices.ts'
import { type Doors, ticketCommands } from './commands.ts'
import css from './conversation.module.css'
import { ConversationHead, windowEnd } from './conversation-head.tsx'
import type { Layout } from './layout.ts'
import { isSettingOn } from './lists.ts'
import { ownerOf } from './names.ts'
import { changeRow, ticketRow } from './store.ts'
import { useLogs, useTicket } from './ticket.ts'

const ThreadSearch = lazy(async () => ({ default: (await import('./thread-search.tsx')).ThreadSearch }))

/** The conversation of one ticket: head, search, messages, and where one writes. */
export function Conversation(props: {
  id: number
  layout: Layout
  doors: Doors
  /** The moment in the address, applied once. */
  moment: Moment | null
  contextOpen: boolean
  onBack: () => void
  onContext: () => void
  onLogs: () => void
}) {
  const { id, layout, doors, moment, contextOpen, onBack, onContext, onLogs } = props
  const { ticket, error, refetch } = useTicket(id)
  const logs = useLogs(id).data
  const colleagues = useColleagues().data
  const [searching, setSearching] = useState(false)
  const [mark, setMark] = useState('')
  const [jump, setJump] = useState<Moment | null>(moment)
  const composer = useRef<ComposerHandle>(null)
  const names = useMemo(() => colleagues?.map(({ name }) => name) ?? [], [colleagues])
  const [unread] = useState(() => ticketRow(id)?.unreadMessages)
  useViewing(id)
  useEffect(() => beginReading(id), [id])
  useEffect(() => setJump(moment), [moment])
  const closeSearch = useCallback(() => {
    setSearching(false)
    setMark('')
  }, [])

  const commands = useMemo<Command[]>(() => {
    if (!ticket) return []
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
      { id: 'logs', group: here, label: t('Histórico do atendimento'), icon: TrailIcon, run: onLogs },
    ]
  }, [ticket, doors, onLogs])
  const keys = useMemo<Command[]>(
    () => [
      { id: 'write', group: t('Conversa'), label: t('Responder'), shortcut: 'r', run: () => composer.current?.focus() },
      { id: 'leave', group: t('Conversa'), label: t('Sair da conversa'), shortcut: 'esc', run: onBack },
    ],
    [onBack],
  )
  useCommands(commands)
  useCommands(keys)

  const { dropping, handlers } = useDrop((files) => composer.current?.addFiles(files))
  const onDraft = useCallback((text: string) => changeRow(id, { draft: text || null }), [id])
  const onSeen = useCallback(() => markSeen(id), [id])

  if (error && !ticket) return <Missing error={error} retry={() => void refetch()} onBack={onBack} />
  if (!ticket) return <section className={css.conversation} aria-busy="true" />
  return (
    <section className={css.conversation} aria-label={t('Conversa com {name}', { name: ticket.name })} {...handlers}>
      <ConversationHead
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
      <Thread
        ticketId={id}
        logs={logs ?? []}
        unread={unread ?? ticket.unreadMessages}
        names={names}
        moment={jump}
        mark={mark}
        canQuote={ticket.capabilities.quote && ticket.status === 'open'}
        onReply={(message) => composer.current?.reply(message)}
        onSeen={onSeen}
      />
      <Writing ticket={ticket} composer={composer} colleagues={colleagues ?? []} doors={doors} onDraft={onDraft} />
      {dropping && ticket.capabilities.media && (
        <div className={css.drop}>
          <UploadIcon size={30} />
          <p>{t('Solte os arquivos para anexar')}</p>
        </div>
      )}
    </section>
  )
}

type Colleague = { id: number; name: string; email: string }

/** The composer, or what has to be done before one can reply. */
function Writing(props: {
  ticket: TicketDetail
  composer: RefObject<ComposerHandle | null>
  colleagues: readonly Colleague[]
  doors: Doors
  onDraft: (text: string) => void
}) {
  const { ticket, composer, colleagues, doors, onDraft } = props
  const [noting, setNoting] = useState(false)
  const now = useNow()
  const until = windowEnd(ticket)
  const isClosedWindow = until !== undefined && (until === null || until < now)
  const canReply = ticket.status === 'open' && !isClosedWindow
  const { userId, username } = viewer()
  const me = { id: userId, name: username || (stored<{ name?: string }>('usuario')?.name ?? '') }
  return (
    <>
      {!canReply && (
        <Bar
          ticket={ticket}
          isClosedWindow={isClosedWindow}
          doors={doors}
          noting={noting}
          onNote={() => setNoting(true)}
        />
      )}
      {canReply && ticket.userId !== null && ticket.userId !== userId && (
        <p className={css.hint}>
          {t('{name} está atendendo. O que você enviar sai com o seu nome.', { name: ownerOf(ticket) })}
        </p>
      )}
      {(canReply || noting) && (
        <Composer
          ref={composer}
          ticket={ticket}
          me={me}
          colleagues={colleagues}
          canReply={canReply}
          mustSign={isSettingOn('signed') && viewer().profile === 'user'}
          onDraft={onDraft}
          onSendAndClose={() => void resolve(ticket)}
        />
      )}
    </>
  )
}

function Bar(props: {
  ticket: TicketDetail
  isClosedWindow: boolean
  doors: Doors
  noting: boolean
  onNote: () => void
}) {
  const { ticket, isClosedWindow, doors, noting, onNote } = props
  const { id, status } = ticket
  const state =
    status === 'closed'
      ? {
          title: t('Atendimento resolvido'),
          text: t('Reabra para responder; a conversa continua de onde parou.'),
          action: t('Reabrir'),
          run: () => void reopen(id, doors.open),
        }
      : status === 'pending'
        ? {
            title: t('Esperando na fila'),
            text: t('Atenda para responder. {owner}.', { owner: ticket.queue ?? t('Sem fila') }),
            action: t('Atender'),
            run: () => void accept(ticket),
          }
        : null
  return (
    <div className={css.bar}>
      {isClosedWindow && status === 'open' && <BlockIcon size={22} />}
      <span>
        <b>{state?.title ?? t('A janela de 24 horas fechou')}</b>
        <span>{state?.text ?? t('Neste canal, só uma nova mensagem do cliente reabre a conversa.')}</span>
      </span>
      {!noting && (
        <Button variant="default" onClick={onNote}>
          {t('Nota interna')}
        </Button>
      )}
      {state && <Button onClick={state.run}>{state.action}</Button>}
    </div>
  )
}

function Missing({ error, retry, onBack }: { error: unknown; retry: () => void; onBack: () => void }) {
  const isGone = isApiError(error) && error.status === 404
  return (
    <section className={css.conversation}>
      {isGone ? (
        <EmptyState
          title={t('Este atendimento não está ao seu alcance')}
          text={t('Ele não existe, ou passou para outra fila ou pessoa.')}
          step={{ label: t('Voltar à lista'), run: onBack }}
        />
      ) : (
        <LoadError text={sentence(error)} retry={retry} />
      )}
    </section>
  )
}

/** Files dragged over the conversation. */
function useDrop(onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0)
  const carries = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    dropping: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => carries(event) && setDepth((now) => now + 1),
      onDragLeave: (event: DragEvent) => carries(event) && setDepth((now) => Math.max(0, now - 1)),
      onDragOver: (event: DragEvent) => carries(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!carries(event)) return
        event.preventDefault()
        setDepth(0)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
