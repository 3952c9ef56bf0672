import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { compareMoments, type Peer } from '#domain/private-chat/conversation.ts'
import { readersOf } from '#domain/private-chat/thread.ts'
import { DaySeparator, TypingDots, UnreadSeparator } from '#features/messages/web/rows/separators.tsx'
import { nearEnd, useSeen } from '#features/messages/web/rows/use-reading.ts'
import { call } from '#web/client.ts'
import { formatDate } from '#web/format.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { privateChat } from '../addresses.ts'
import type { PrivateMessage } from '../contract.ts'
import { ChatBubble, UnsentBubble } from './chat-bubble.tsx'
import { useUnsent } from './outbox.ts'
import { pathOf } from './paths.ts'
import css from './private-chat.module.css'
import { readOlder, type Thread } from './threads.ts'

/** Distance from the beginning, in pixels, within which older messages are loaded. */
const NEAR_START = 240
const TOGETHER_MS = 10 * 60_000

type Given = {
  peer: Peer
  thread: Thread
  typists: readonly string[]
  canWrite: boolean
  onQuote: (message: PrivateMessage) => void
}

/**
 * Messages of a conversation: opens at the end, scrolls with new messages while the reader is there, loads older ones on
 * scrolling.
 */
export function ChatThread({ peer, thread, typists, canWrite, onQuote }: Given) {
  const { messages, positions, older } = thread
  const unsent = useUnsent(peer).filter(({ id }) => !messages.some((message) => message.id === id))
  const me = viewer().userId
  const [opened] = useState(() => positions.find(({ userId }) => userId === me))
  const firstNew = messages.find((one) => one.senderId !== me && (opened ? compareMoments(opened, one) < 0 : true))
  useRead(peer, messages.at(-1))
  const { box, scrolled, toQuoted } = useScroll(peer, messages[0]?.id, older)
  return (
    <div ref={box} className={css.thread} onScroll={scrolled} role="log" aria-label={t('Mensagens')}>
      <div className={css.column}>
        {messages.length === 0 && unsent.length === 0 && (
          <p className={css.empty}>{t('Nenhuma mensagem ainda. Escreva a primeira.')}</p>
        )}
        {messages.map((message, index) => {
          const before = messages[index - 1]
          const isNewDay = !before || formatDate(before.timestamp) !== formatDate(message.timestamp)
          const isFirst = isNewDay || !joins(before, message)
          const after = messages[index + 1]
          return (
            <div key={message.id} id={`mensagem-${message.id}`}>
              {isNewDay && <DaySeparator at={message.timestamp} />}
              {message.id === firstNew?.id && <UnreadSeparator count={null} />}
              <ChatBubble
                message={message}
                isFirst={isFirst}
                isLast={!after || !joins(message, after)}
                isOwn={message.senderId === me}
                isGroup={peer.isGroup}
                readers={message.senderId === me ? readersOf(message, positions) : []}
                canWrite={canWrite}
                onQuote={onQuote}
                onOpenQuoted={(id) => void toQuoted(id)}
              />
            </div>
          )
        })}
        {unsent.map((item) => (
          <UnsentBubble key={item.id} item={item} />
        ))}
        {typists.length > 0 && <TypingDots />}
      </div>
    </div>
  )
}

const joins = (a: PrivateMessage, b: PrivateMessage): boolean =>
  a.senderId === b.senderId &&
  b.timestamp - a.timestamp <= TOGETHER_MS &&
  formatDate(a.timestamp) === formatDate(b.timestamp)

/**
 * Position in the messages: at the end while the reader is there, unchanged when older ones are added above. `toQuoted`
 * loads older ones until it finds a message, and scrolls to it.
 */
function useScroll(peer: Peer, first: string | undefined, older: Thread['older']) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const height = useRef(0)
  const drawnFrom = useRef<string>(undefined)

  // Keeps the scroll position when older messages are added above, and the end when the reader is there.
  useLayoutEffect(() => {
    const own = box.current
    if (!own) return
    if (isAtEnd.current) own.scrollTop = own.scrollHeight
    else if (drawnFrom.current !== first) own.scrollTop += own.scrollHeight - height.current
    drawnFrom.current = first
    height.current = own.scrollHeight
  })
  useEffect(() => {
    const own = box.current
    if (!own) return
    const watch = new ResizeObserver(() => {
      if (isAtEnd.current) own.scrollTop = own.scrollHeight
    })
    for (const part of [own, ...own.children]) watch.observe(part)
    return () => watch.disconnect()
  }, [])

  const scrolled = () => {
    const own = box.current
    if (!own) return
    isAtEnd.current = own.scrollHeight - own.clientHeight - own.scrollTop <= nearEnd
    height.current = own.scrollHeight
    if (own.scrollTop < NEAR_START && older) void readOlder(peer)
  }
  const toQuoted = async (id: string) => {
    for (let tries = 0; tries < 10; tries++) {
      const found = document.getElementById(`mensagem-${id}`)
      if (found) return found.scrollIntoView({ block: 'center' })
      isAtEnd.current = false
      await readOlder(peer)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }
  return { box, scrolled, toQuoted }
}

const seen = new Map<string, string>()

/** Hook that marks a conversation as read while its end is visible in a focused window. */
function useRead({ id, isGroup }: Peer, last: PrivateMessage | undefined): void {
  useSeen(last, ({ id: lastId }) => {
    const key = pathOf({ id, isGroup })
    if (seen.get(key) === lastId) return
    seen.set(key, lastId)
    call(privateChat.read, { params: { contactId: id }, body: { isGroup, upTo: lastId } }, { quiet: true }).catch(() =>
      seen.delete(key),
    )
  })
}
