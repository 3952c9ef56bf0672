import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WebchatConfig } from '#features/webchat/contract.ts'
import { Bubble } from './bubble.tsx'
import { useCell } from './cell.ts'
import type { Chat, ChatState } from './chat.ts'
import { asksRating, rows } from './conversation.ts'
import { dayText } from './format.ts'
import { Icon } from './Icon.tsx'
import { t } from './labels.ts'

/** Messages of the conversation: stays scrolled to the end while the reader is there, and keeps their position otherwise. */
export const Messages = ({ chat }: { chat: Chat }) => {
  const state = useCell(chat.state)
  const { items, isLoading, hasMore, isOpen } = state
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const was = useRef({ first: '', last: '', height: 0 })
  const [isAway, setAway] = useState(false)
  const toEnd = () => box.current?.scrollTo(0, box.current.scrollHeight)
  const last = items.at(-1)
  const first = items[0]?.id ?? ''

  useLayoutEffect(() => {
    const { first: before, last: end, height } = was.current
    if (last?.local && last.id !== end) atEnd.current = true
    const view = box.current as HTMLDivElement
    if (atEnd.current) view.scrollTop = view.scrollHeight
    else if (before && before !== first) view.scrollTop += view.scrollHeight - height
    was.current = { first, last: last?.id ?? '', height: view.scrollHeight }
  })
  useLayoutEffect(() => {
    const view = box.current as HTMLDivElement
    const resized = new ResizeObserver(() => {
      if (atEnd.current) view.scrollTop = view.scrollHeight
      was.current.height = view.scrollHeight
    })
    resized.observe(inner.current as HTMLDivElement)
    resized.observe(view)
    // a scrolling area has to be reachable by keyboard; not every browser does it by itself
    view.tabIndex = 0
    return () => resized.disconnect()
  }, [])

  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current as HTMLDivElement
    atEnd.current = scrollHeight - scrollTop - clientHeight < 48
    setAway(!atEnd.current)
    if (scrollTop < 80 && hasMore && isOpen) chat.loadMore()
  }

  return (
    <div class="thread">
      <div class="scroll" ref={box} onScroll={onScroll} role="log" aria-label={t('Mensagens')} aria-busy={isLoading}>
        <div class="inner" ref={inner}>
          <Rows chat={chat} state={state} />
        </div>
      </div>
      {isAway && (
        <button type="button" class="round to-end" aria-label={t('Ir para o fim da conversa')} onClick={toEnd}>
          <Icon name="down" size={18} />
        </button>
      )}
    </div>
  )
}

/** Content of the conversation from top to bottom: greeting, messages by day, rating, and what is happening now. */
const Rows = ({ chat, state }: { chat: Chat; state: ChatState }) => {
  const { items, config, typing, isClosed, isLoading, hasMore } = state
  return (
    <>
      {isLoading && <div class="wait" />}
      {!hasMore && !isLoading && config.welcome && <Welcome title={config.title} text={config.welcome} />}
      {rows(items).map((row) =>
        'day' in row ? (
          <div class="day" key={row.key}>
            <span>{dayText(row.day)}</span>
          </div>
        ) : (
          <Bubble key={row.key} item={row.item} continues={row.continues} chat={chat} />
        ),
      )}
      {asksRating(items, config.rates) && <Rates chat={chat} rates={config.rates} />}
      {isClosed && <div class="event">{t('Atendimento encerrado. Escreva para começar outro.')}</div>}
      {typing && <Typing name={typing} />}
    </>
  )
}

const Welcome = ({ title, text }: { title: string; text: string }) => (
  <div class="message in">
    <div class="bubble text">
      <b class="author">{t(title)}</b>
      <p>{t(text)}</p>
    </div>
  </div>
)

const Rates = ({ chat, rates }: { chat: Chat; rates: WebchatConfig['rates'] }) => (
  <span class="buttons rates" role="group" aria-label={t('Sua nota')}>
    {rates.map(({ rating, label }) => (
      <button key={rating} type="button" onClick={() => chat.rate(rating, t(label))}>
        {t(label)}
      </button>
    ))}
  </span>
)

const Typing = ({ name }: { name: string }) => (
  <div class="message in">
    <div class="bubble dots">
      <i />
      <i />
      <i />
      <span class="visually-hidden">{t('{name} está digitando', { name })}</span>
    </div>
  </div>
)
