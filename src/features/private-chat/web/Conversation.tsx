import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import shared from '#features/messages/web/parts/conversation.module.css'
import { useFileDrop } from '#features/messages/web/thread/use-file-drop.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { download } from '#web/resource/csv.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { BackIcon, ExportIcon, SearchIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { privateChat } from '../addresses.ts'
import type { PrivateMessage } from '../contract.ts'
import { ChatSearch } from './ChatSearch.tsx'
import { ChatThread } from './ChatThread.tsx'
import { Composer, type ComposerHandle } from './Composer.tsx'
import { useTypists } from './follow.ts'
import { forwarding } from './forwarding.ts'
import css from './private-chat.module.css'
import { readThread, type Thread, useThread } from './threads.ts'

const ForwardToColleague = lazyPart(async () => (await import('./ForwardToColleague.tsx')).ForwardToColleague)

/** Conversation with a colleague or a team: header, messages, composer. */
export function Conversation({ peer, onBack }: { peer: Peer; onBack?: () => void }) {
  const known = useThread(peer)
  const typists = useTypists(peer)
  const [quoted, setQuoted] = useState<PrivateMessage | null>(null)
  const [isSearching, setSearching] = useState(false)
  const composer = useRef<ComposerHandle>(null)
  const dropping = useFileDrop((files) => composer.current?.addFiles(files))
  const quote = useCallback((message: PrivateMessage) => {
    setQuoted(message)
    composer.current?.focus()
  }, [])
  const passedOn = forwarding.use()
  useEffect(() => () => forwarding.set(null), [])
  const thread = known?.thread
  if (!thread)
    return (
      <section className={shared.conversation}>
        {known?.error ? (
          <LoadError text={sentence(known.error)} retry={() => void readThread(peer)} />
        ) : (
          <SkeletonRows kind="card" rows={4} />
        )}
      </section>
    )
  const { name, canWrite } = thread.peer
  return (
    <section className={shared.conversation} aria-label={name} {...dropping.handlers}>
      <Header
        peer={peer}
        shown={thread.peer}
        typists={typists}
        isSearching={isSearching}
        onSearch={() => setSearching(!isSearching)}
        onBack={onBack}
      />
      {isSearching && <ChatSearch peer={peer} onClose={() => setSearching(false)} />}
      <ChatThread peer={peer} thread={thread} typists={typists} canWrite={canWrite} onQuote={quote} />
      {passedOn && (
        <Suspense>
          <ForwardToColleague messages={[passedOn.id]} ticketId={null} onClose={() => forwarding.set(null)} />
        </Suspense>
      )}
      {dropping.isOver && <div className={shared.dropZone}>{t('Solte para anexar')}</div>}
      {canWrite ? (
        <Composer ref={composer} peer={peer} quoted={quoted} onQuoted={setQuoted} />
      ) : (
        <p className={css.closed}>
          {peer.isGroup
            ? t('Você não faz mais parte desta equipe. O que foi escrito até a sua saída continua aqui.')
            : t('Esta pessoa não trabalha mais aqui.')}
        </p>
      )}
    </section>
  )
}

/** Header of the conversation: who it is with and what they do, its PDF, its search. */
function Header(props: {
  peer: Peer
  shown: Thread['peer']
  typists: readonly string[]
  isSearching: boolean
  onSearch: () => void
  onBack: (() => void) | undefined
}) {
  const { peer, shown, typists, isSearching, onSearch, onBack } = props
  const { name, isOnline } = shown
  const { isTaking, takePdf } = usePdf(peer)
  const doing = typists.length > 0 ? t('{who} está escrevendo…', { who: typists.join(', ') }) : null
  return (
    <header className={shared.header}>
      {onBack && (
        <IconButton aria-label={t('Voltar às conversas')} onClick={onBack}>
          <BackIcon size={20} />
        </IconButton>
      )}
      <Avatar
        id={peer.isGroup ? `team ${peer.id}` : peer.id}
        name={name}
        size={38}
        square={peer.isGroup}
        status={isOnline ? 'online' : 'offline'}
      />
      <span className={`${shared.names} ${css.names}`}>
        <b className="g-cut">{name}</b>
        <span>
          {doing ? (
            <span className={shared.typing}>{doing}</span>
          ) : peer.isGroup ? (
            t('Equipe')
          ) : isOnline ? (
            t('online')
          ) : (
            t('offline')
          )}
        </span>
      </span>
      <IconButton aria-label={t('Baixar a conversa em PDF')} disabled={isTaking} onClick={() => void takePdf()}>
        <ExportIcon size={19} />
      </IconButton>
      <IconButton aria-label={t('Buscar nesta conversa')} aria-pressed={isSearching} onClick={onSearch}>
        <SearchIcon size={19} />
      </IconButton>
    </header>
  )
}

/** Downloads the conversation as a PDF. */
function usePdf(peer: Peer) {
  const [isTaking, setTaking] = useState(false)
  const takePdf = async () => {
    setTaking(true)
    await attempt(async () => {
      const input = { params: { contactId: peer.id }, query: { isGroup: peer.isGroup } }
      download(
        `chat-privado-${peer.id}.pdf`,
        (await call(privateChat.export, input, { long: true, quiet: true })) as Blob,
      )
    })
    setTaking(false)
  }
  return { isTaking, takePdf }
}
