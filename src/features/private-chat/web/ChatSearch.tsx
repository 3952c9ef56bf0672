import { TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { RichText } from '#features/messages/web/parts/rich-text.tsx'
import { pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { useLayer } from '#web/shell/layers.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { CloseIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { privateChat } from '../addresses.ts'
import css from './private-chat.module.css'

/** Search within a conversation, newest results first. */
export function ChatSearch({ peer, onClose }: { peer: Peer; onClose: () => void }) {
  const [text, setText] = useState('')
  const searchParam = useDeferredValue(text.trim())
  const found = useInfiniteQuery({
    ...pages(privateChat.search, { query: { contactId: peer.id, isGroup: peer.isGroup, searchParam } }),
    enabled: searchParam.length > 1,
  })
  useLayer(true, onClose)
  const messages = searchParam.length > 1 ? (found.data?.pages.flatMap((page) => page.messages) ?? []) : []
  return (
    <div className={css.search} role="search">
      <span className={css.searchField}>
        <TextInput
          autoFocus
          aria-label={t('Buscar nesta conversa')}
          placeholder={t('Palavras da mensagem')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <IconButton aria-label={t('Fechar a busca')} onClick={onClose}>
          <CloseIcon size={17} />
        </IconButton>
      </span>
      {searchParam.length > 1 && found.data && messages.length === 0 && (
        <p className={css.empty}>{t('Nenhuma mensagem com estas palavras.')}</p>
      )}
      {messages.length > 0 && (
        <ul className={css.hits}>
          {messages.map((message) => (
            <li key={message.id}>
              <span>
                <b>{message.senderName}</b> <time>{formatDateTime(message.timestamp)}</time>
              </span>
              <p>
                <RichText text={message.text} mark={searchParam} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={found} />
    </div>
  )
}
