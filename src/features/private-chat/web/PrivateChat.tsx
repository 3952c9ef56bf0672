import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { useLayout } from '#features/messages/web/registries/layout.ts'
import { t } from '#web/t.ts'
import { EmptyState } from '#web/ui/feedback/states.tsx'
import { ChatList } from './ChatList.tsx'
import { Conversation } from './Conversation.tsx'
import { followThreads } from './follow.ts'
import { pathOf } from './paths.ts'
import css from './private-chat.module.css'

const numberOf = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null)

/** Page of the private chat: list beside the open conversation, or one of them on a phone. */
export function PrivateChat() {
  const { userId, teamId } = useParams({ strict: false })
  const navigate = useNavigate()
  useEffect(followThreads, [])
  const id = numberOf(userId) ?? numberOf(teamId)
  const peer: Peer | null = id === null ? null : { id, isGroup: teamId !== undefined }
  const isPhone = useLayout() === 'phone'
  const open = (next: Peer | null) => void navigate({ to: next ? pathOf(next) : '/chat-privado' })
  return (
    <div className={css.frame} data-phone={isPhone || undefined}>
      {(!isPhone || !peer) && <ChatList chosen={peer} onOpen={open} />}
      {peer ? (
        <Conversation key={pathOf(peer)} peer={peer} {...(isPhone ? { onBack: () => open(null) } : {})} />
      ) : (
        !isPhone && (
          <div className={css.none}>
            <EmptyState
              title={t('Chat privado')}
              text={t('Escolha um colega ou uma equipe ao lado. Só quem participa lê a conversa.')}
            />
          </div>
        )
      )}
    </div>
  )
}
